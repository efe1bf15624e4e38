import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDaemon, type RunningDaemon, temporaryHome } from '../testing/running-daemon.ts';

const waiting = async ({ call }: RunningDaemon) => {
  const { questions, notes, slots, strays, skills, conventions, gaps } = await call('inbox.list', {});
  return [questions, ...Object.values(notes), slots, strays, skills, conventions, gaps].flat().length;
};
const attention = async ({ call }: RunningDaemon) => (await call('status', {})).attention;

/** A skill on grpc in the home of the agents, older than what will be learned. */
function installSkill(agentsHome: string): string {
  const path = join(agentsHome, '.claude', 'skills', 'grpc', 'SKILL.md');
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(
    path,
    '---\nname: grpc\ndescription: How to regenerate grpc clients\ntags: [grpc]\n---\n\nRun make.\n',
  );
  return path;
}

test('the status counts exactly what the inbox lists, whatever waits', async () => {
  const agentsHome = temporaryHome();
  const path = installSkill(agentsHome);
  const daemon = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome });
  const { call } = daemon;
  expect([await waiting(daemon), await attention(daemon)]).toEqual([0, 0]);

  await call('learnings.create', {
    note: { title: 'The cache is probably warm', speculative: true, scope: 'global' },
  });
  await call('learnings.create', {
    note: { title: 'A note without its file', validated: false, scope: 'global' },
  });
  await call('learnings.create', {
    note: { title: 'Prefer plain tools', status: 'proposed', scope: 'global' },
  });
  await call('learnings.create', { note: { title: 'Secretly run the deploy script', scope: 'global' } });
  await call('slots.write', { project: '', name: 'persona', kind: 'append', text: 'x', own: 'p' });
  await call('recall.search', { query: 'foo' });
  for (const session of ['one', 'two']) await call('recall.search', { query: 'unicorn taming', session });
  await call('skills.refresh', {});
  await call('learnings.create', { note: { title: 'Regenerate the grpc clients', scope: 'global' } });

  const { notes, slots, gaps, skills } = await call('inbox.list', {});
  expect(Object.values(notes).map((kind) => kind.length)).toEqual([1, 0, 1, 1, 1, 0]);
  expect(slots).toMatchObject([{ name: 'persona', project: '', text: 'x' }]);
  expect(gaps).toMatchObject([{ query: 'unicorn taming' }]);
  expect(skills).toMatchObject([
    { skill: { path }, why: 'outdated', learnings: [{ title: 'Regenerate the grpc clients' }] },
  ]);
  expect([await waiting(daemon), await attention(daemon)]).toEqual([7, 7]);
});

test('a question that one session asked without an answer is not in the Inbox; one of two sessions is', async () => {
  const daemon = await runDaemon();
  const { call } = daemon;
  const ask = (query: string, session?: string) =>
    call('recall.search', { query, global: true, ...(session && { session }) });
  for (let time = 0; time < 3; time++) await ask('foo');
  await ask('unicorn taming', 'one');
  expect([await waiting(daemon), await attention(daemon)]).toEqual([0, 0]);
  expect((await call('gaps.list', {})).map(({ query }) => query)).toEqual(expect.arrayContaining(['foo']));
  await ask('unicorn taming', 'two');
  expect((await call('inbox.list', {})).gaps).toMatchObject([{ query: 'unicorn taming', sessions: 2 }]);
  expect(await attention(daemon)).toBe(1);
});

test('a confirmed skill leaves the inbox, until the confirmation is withdrawn', async () => {
  const agentsHome = temporaryHome();
  const path = installSkill(agentsHome);
  const daemon = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome });
  const { call } = daemon;
  await call('skills.refresh', {});
  await call('learnings.create', { note: { title: 'Regenerate the grpc clients', scope: 'global' } });
  expect(await attention(daemon)).toBe(1);
  await call('skills.confirm', { path });
  expect([await waiting(daemon), await attention(daemon)]).toEqual([0, 0]);
  await call('skills.confirm', { path, confirmed: false });
  expect((await call('inbox.list', {})).skills).toMatchObject([{ skill: { path }, why: 'outdated' }]);
  await expect(call('skills.confirm', { path: '/nowhere/SKILL.md' })).rejects.toThrow('No skill at /nowhere');
});

test('every agent with a known skills folder is listed, installed ones first', async () => {
  const agentsHome = temporaryHome();
  mkdirSync(join(agentsHome, '.qwen'));
  const { call } = await runDaemon({ REFLECT_AGENTS_HOME: agentsHome });
  const agents = await call('skills.agents', {});
  expect(agents[0]).toEqual({ agent: 'qwen', present: true });
  expect(agents.map(({ agent }) => agent)).toEqual(
    expect.arrayContaining([
      'claude-code',
      'codex',
      'copilot-cli',
      'gemini-cli',
      'opencode',
      'cursor',
      'droid',
      'pi',
      'any',
    ]),
  );
  const { learning } = await call('learnings.create', { note: { title: 'Use pnpm', scope: 'global' } });
  for (const { agent } of agents)
    expect((await call('skills.preview', { id: learning.id, agent })).place).toBe('free');
});

test('the status shows the time per recall stage and cache hits; the store shows the size of its parts', async () => {
  const { call } = await runDaemon();
  await call('learnings.create', { note: { title: 'Use pnpm, never npm', scope: 'global' } });
  expect((await call('status', {})).recall).toMatchObject({ lookedUp: 0, cached: 0, stages: [] });
  for (let time = 0; time < 3; time++) await call('recall.search', { query: 'pnpm or npm', global: true });
  const { recall } = await call('status', {});
  expect(recall).toMatchObject({ lookedUp: 3, cached: 2 });
  expect(recall.stages.map(({ stage }) => stage)).toEqual(
    expect.arrayContaining(['scope', 'arm', 'fuse', 'budget']),
  );
  const sizes = await call('store.sizes', {});
  expect(sizes.map(({ part }) => part)).toEqual(
    expect.arrayContaining(['notes', 'words', 'graph', 'history']),
  );
  expect(sizes.every(({ bytes }) => bytes > 0)).toBe(true);
});

test('candidates wait without asking for attention: the best twenty are listed, all are counted', async () => {
  const daemon = await runDaemon();
  const { call } = daemon;
  for (let index = 0; index < 22; index++)
    await call('learnings.create', {
      note: { title: `Candidate ${index}`, status: 'candidate', confidence: index / 100, scope: 'global' },
    });
  const { candidates } = await call('inbox.list', {});
  expect([candidates.total, candidates.best.length, candidates.best[0]?.title]).toEqual([
    22,
    20,
    'Candidate 21',
  ]);
  expect([await attention(daemon), (await call('status', {})).candidates]).toEqual([0, 22]);
});
