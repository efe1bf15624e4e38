import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { NoteInput } from '#contract/entities.ts';
import { CLEANED } from '../outcomes/upkeep.ts';
import { pathsOf } from '../platform/paths.ts';
import { documentPath } from '../store/learnings/document-path.ts';
import { setMeta } from '../store/meta.ts';
import { ClaudeSession } from './claude-session.ts';
import type { RunningDaemon } from './running-daemon.ts';
import { tempStore } from './temp-home.ts';
import { putTranscript, transcriptPath } from './transcript.ts';

/** A repository, and a word that tells one use of everything from the next: what was said before is not kept twice. */
export interface Use {
  cwd: string;
  project: string;
  word: string;
}

/** Uses every feature that reads a setting, as agents and people do. */
export async function useEverything(daemon: RunningDaemon, use: Use): Promise<void> {
  await findAndInject(daemon, use);
  await liveThroughSessions(daemon, use);
  await learnFromResults(daemon, use);
  await lookAfter(daemon, use);
}

async function findAndInject({ call, home, agentsHome }: RunningDaemon, { cwd, project, word }: Use) {
  const note = (title: string, more: Partial<NoteInput> = {}) =>
    call('learnings.create', { note: { title, rule: title, project, type: 'correction', ...more } });
  const entities = ['pnpm', word].map((name) => ({ name, type: 'tool' as const }));
  const { learning } = await note(`Always deploy ${word} with pnpm`);
  await call('learnings.update', { id: learning.id, patch: { problem: `npm broke ${word}` } });
  appendFileSync(join(pathsOf(home).documents, documentPath(learning.id, learning)), '\nEdited by hand.\n');
  await note(`Never deploy ${word} with pnpm`);
  await note(`The tests of ${word} are red until the cart is done`); // retracted below
  await note(`Payments of ${word} are mocked until the cart is done`, { branch: 'feature/cart', entities });
  await note(`Edit of payments.proto for ${word} needs new clients`, { status: 'candidate' });
  await note(`Indent ${word} with tabs`);
  await note(`Indent ${word} with spaces`);
  for (const version of [1, 2]) {
    const skill = `---\nname: packages\ndescription: Install packages of shop\n---\n\nFor ${word}, ${version}.\n`;
    putTranscript(join(agentsHome, '.claude', 'skills', 'packages', 'SKILL.md'), skill, version);
    await call('skills.refresh', {});
  }
  await call('agents.connect', { agent: 'claude-code' });
  const vectors = async () => (await call('status', {})).index;
  await expect.poll(vectors, { timeout: 20_000 }).toMatchObject({ waiting: 0, state: 'ready' });
  await call('recall.search', { query: 'how was it deployed with pnpm yesterday', cwd });
  await call('recall.index', { query: 'pnpm', cwd });
  await call('recall.inject', { cwd, query: `deploy ${word}` });
  await call('recall.inject', { cwd, query: 'install packages of shop' });
}

/** Two sessions teach the same lesson, one of them long ago, and a third retracts another one. */
async function liveThroughSessions({ call, agentsHome }: RunningDaemon, { cwd, word }: Use) {
  const corrections = [
    `no, don't use npm for ${word}, always use pnpm here`,
    `no, not npm, always use pnpm for ${word}`,
  ];
  for (const said of [...corrections, `forget what I told you about the tests of ${word}`]) {
    const old = said === corrections[0];
    const session = new ClaudeSession({ cwd, ...(old ? {} : { at: Date.now() }) });
    const path = transcriptPath({ agentsHome }, session);
    const hook = (event: string, more: object = {}) =>
      call('hook.run', {
        agent: 'claude-code',
        event,
        payload: { cwd, session_id: session.id, transcript_path: path, ...more },
      });
    await hook('SessionStart', { source: 'startup' });
    const asked = session.human(`Add date-fns for ${word}`) + session.agent('I ran npm install date-fns.');
    putTranscript(path, asked + session.human(said) + session.agent('You are right, pnpm it is.'));
    await hook('Stop');
    const read = async () => (await call('sessions.list', {})).find((each) => each.session === session.id);
    const moments = corrections.includes(said) ? 1 : 0;
    await expect.poll(read, { timeout: 20_000 }).toMatchObject({ moments });
    await hook('UserPromptSubmit', { prompt: `How do I deploy ${word} with pnpm, please?` });
    await hook('UserPromptSubmit', { prompt: `And then deploy ${word} with pnpm once more` });
    await hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: `pnpm deploy ${word}` } });
    await call('capture.drain', { noLlm: old });
    await hook('SessionEnd');
  }
}

async function learnFromResults({ call, home }: RunningDaemon, { cwd, word }: Use) {
  const store = tempStore(home);
  setMeta(store.db, CLEANED, '0'); // once a day
  store.close();
  const task = `roll out ${word}`;
  await call('learnings.learn', { rule: `Connect the VPN before ${word} is rolled out`, cwd });
  await call('facts.add', { text: `${word} runs on Node`, cwd });
  await call('facts.list', { cwd });
  await call('memories.create', { task, result: 'fail', summary: task, guidance: 'Connect first', cwd });
  const { memories } = await call('memories.query', { task, cwd });
  const retrievedMemoryIds = memories.map(({ id }) => id);
  await call('traces.create', { task, cwd, retrievedMemoryIds, review: { result: 'pass' } });
  await call('experience.query', { task, cwd });
  await call('experience.cleanup', {});
  const { id } = await call('loops.start', { task, cwd });
  const actor_output = {
    actions: [{ type: 'command_execution' as const, description: task }],
    rationale: task,
  };
  const evaluated = { verification_type: 'unit_tests' as const, results: [] };
  await call('reflections.append', {
    loop_id: id,
    actor_output,
    evaluator_output: { ...evaluated, passed: false },
    self_reflection: { reflection_text: 'The VPN was off, so no server was reached' },
  });
  await call('reflections.append', {
    loop_id: id,
    actor_output,
    evaluator_output: { ...evaluated, passed: true },
  });
}

async function lookAfter({ call }: RunningDaemon, { cwd, project, word }: Use) {
  await call('knowledge.maintain', {});
  const content = `Always use pnpm for ${word}`;
  await call('observations.revise', { actions: [{ action: 'CREATE', content, project }] });
  await call('distill.run', { now: true });
  await call('conventions.get', { cwd });
  await call('skills.stale', { cwd });
  await call('inbox.list', {});
  await call('documents.repair', {});
  await call('capture.troubles', {});
  await call('capture.ignored', {});
  await call('writers.status', {});
  const nobodyThere = { url: 'postgres://localhost:1/none', space: 'none', cwd };
  await expect(call('team.inspect', nobodyThere)).rejects.toThrow('team’s');
}
