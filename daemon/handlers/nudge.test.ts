import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ClaudeSession } from '../testing/claude-session.ts';
import { runDaemon, type RunningDaemon, workingTree } from '../testing/running-daemon.ts';
import { putTranscript, transcriptPath } from '../testing/transcript.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';

const CORRECTION = "no, don't use npm here, always use pnpm because the lockfile is pnpm's";
const DECISION = 'no, never round the totals, we always keep cents as integers instead';
const CHAT = 'Now go on with the next step, please';

const shop = () => workingTree('', 'tree');

interface Options {
  knobs?: Record<string, string>;
  connected?: boolean;
}

/** A daemon that Claude Code is connected to. */
async function connected({
  knobs = {},
  connected: isConnected = true,
}: Options = {}): Promise<RunningDaemon> {
  const daemon = await runDaemon({ REFLECT_NUDGE_GAP_SECONDS: '0', ...knobs });
  mkdirSync(join(daemon.agentsHome, '.claude'), { recursive: true });
  if (isConnected) await daemon.call('agents.connect', { agent: 'claude-code' });
  return daemon;
}

const THIRD_RECORD = 2_999; // ms from the beginning of a transcript to just before its third record

/** A session of Claude Code at work: its transcript and its hooks. By default the correction is said now. */
function atWork(daemon: RunningDaemon, { cwd = shop(), beganAgo = THIRD_RECORD } = {}) {
  let session = new ClaudeSession({ cwd });
  const path = transcriptPath(daemon, session);
  let noticed = 0;
  const hook = async (event: string, more: object = {}): Promise<string> => {
    const payload = { session_id: session.id, cwd, transcript_path: path, ...more };
    const { output } = await daemon.call('hook.run', { agent: 'claude-code', event, payload });
    return output === ''
      ? ''
      : (JSON.parse(output) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput
          .additionalContext;
  };
  return {
    cwd,
    session,
    hook,
    async begin() {
      const injected = await hook('SessionStart', { source: 'startup' });
      session = new ClaudeSession({ cwd, session: session.id, at: Date.now() - beganAgo });
      putTranscript(path, session.human('Install date-fns') + session.agent('I ran npm install date-fns.'));
      return injected;
    },
    /** The person corrects the agent, which complies; the turn ends, and capture has read it. */
    async corrected(words = CORRECTION) {
      appendFileSync(
        path,
        session.human(words) + session.agent('You are right, I will do that from now on.'),
      );
      await hook('Stop');
      noticed++;
      await expect
        .poll(async () => (await daemon.call('capture.moments', { session: session.id })).length)
        .toBe(noticed);
    },
    prompt: (prompt = CHAT) => hook('UserPromptSubmit', { prompt }),
  };
}

describe('the next prompt after a correction', () => {
  test('asks the agent to record it, once, with its words', async () => {
    const daemon = await connected();
    const { begin, corrected, prompt } = atWork(daemon);
    await begin();
    await corrected();
    const line = await prompt();
    expect(line).toMatch(/^Earlier in this session: “no, don't use npm here[^\n]+`learn`[^\n]+$/);
    expect(await prompt()).toBe('');
  });

  test('asks nothing when the agent has recorded something since', async () => {
    const daemon = await connected();
    const { begin, corrected, prompt, cwd } = atWork(daemon);
    await begin();
    await corrected();
    await daemon.call('learnings.learn', { rule: 'Install packages with pnpm, never with npm', cwd });
    expect(await prompt()).toBe('');
  });

  test.each([
    ['asks about each, one with each prompt', {}, /integers/],
    ['asks at most so often in a session', { REFLECT_NUDGE_PER_SESSION: '1' }, /^$/],
    ['does not ask too soon after the last time', { REFLECT_NUDGE_GAP_SECONDS: '3600' }, /^$/],
  ])('%s', async (_name, knobs, second) => {
    const daemon = await connected({ knobs });
    const { begin, corrected, prompt } = atWork(daemon);
    await begin();
    await corrected();
    expect(await prompt()).toContain('npm');
    await corrected(DECISION);
    expect(await prompt()).toMatch(second);
  });

  test('asks nothing about what happened before the first hook of the session', async () => {
    const daemon = await connected();
    const { begin, corrected, prompt } = atWork(daemon, { beganAgo: 3_600_000 });
    await begin();
    await corrected();
    expect(await prompt()).toBe('');
  });

  test('asks nothing when switched off, or when the agent has nothing to record with', async () => {
    for (const options of [{ knobs: { REFLECT_NUDGE: 'false' } }, { connected: false }]) {
      const { begin, corrected, prompt } = atWork(await connected(options));
      await begin();
      await corrected();
      expect(await prompt()).toBe('');
    }
  });

  test('is not counted as asked when the hook gave up waiting', async () => {
    const daemon = await connected();
    const { begin, corrected, prompt, session, cwd } = atWork(daemon);
    await begin();
    await corrected();
    const payload = { session_id: session.id, cwd, prompt: CHAT };
    const late = { agent: 'claude-code', event: 'UserPromptSubmit', payload, withinMs: 1 };
    const { output } = await daemon.call('hook.run', late);
    expect(await prompt()).toMatch(output === '' ? /npm/ : /^$/);
  });
});

describe('a session that starts', () => {
  test('says in at most 60 tokens when to record something, if its agent can', async () => {
    const daemon = await connected();
    const { begin, hook } = atWork(daemon);
    const hint = await begin();
    expect(hint).toMatch(/^When a person corrects you.+`learn`/);
    expect(estimateTokens(hint)).toBeLessThanOrEqual(60);
    expect(await hook('SessionStart', { source: 'resume' })).toBe('');
    await daemon.call('config.set', { name: 'REFLECT_LEARN_HINT', value: false });
    expect(await atWork(daemon).begin()).toBe('');
  });

  test('says nothing about it where the agent cannot', async () => {
    expect(await atWork(await connected({ connected: false })).begin()).toBe('');
  });
});
