import { describe, expect, test } from 'vitest';
import type { NoteInput, Status } from '#contract/entities.ts';
import { METHODS } from '#contract/methods.ts';
import { TOOLS } from './mcp/tools.ts';
import { changeLearning } from './store/learnings/write.ts';
import { runDaemon, type RunningDaemon, workingTree } from './testing/running-daemon.ts';
import { world } from './testing/world.ts';

const SHOP = 'github.com/acme/shop';
const TASK = 'install the packages of the zebra module';
/** All that an agent could find it by: its words, type and entities, and that it is said often enough to be a rule. */
const WAITING: NoteInput = {
  title: 'Never install the packages of the zebra module with npm',
  rule: 'Never install the packages of the zebra module with npm',
  problem: 'The zebra module lost its lockfile',
  type: 'correction',
  category: 'tooling',
  project: SHOP,
  status: 'candidate',
  entities: [
    { name: 'zebra module', type: 'concept' },
    { name: 'npm', type: 'tool' },
  ],
  relations: [{ source: 'npm', target: 'zebra module', type: 'causes' }],
};

const shop = () => workingTree(SHOP);

async function withWaiting(status: Status) {
  const daemon = await runDaemon();
  const note = { ...WAITING, status };
  const { learning } = await daemon.call('learnings.create', { note });
  for (const [index, verb] of ['add', 'update', 'audit'].entries())
    await daemon.call('learnings.create', {
      note: {
        ...note,
        title: `Never ${verb} packages of the zebra module with npm`,
        rule: `Zebra ${index}`,
      },
    });
  await daemon.call('learnings.create', { note: { title: 'Round invoices per line', project: SHOP } });
  return { daemon, id: learning.id, cwd: shop() };
}

type Ask = (daemon: RunningDaemon, cwd: string, id: string) => Promise<unknown>;
const hook =
  (event: string, payload: object): Ask =>
  ({ call }, cwd) =>
    call('hook.run', { agent: 'claude-code', event, payload: { session_id: 's1', cwd, ...payload } });

const AGENTS_WAYS: Record<string, Ask> = {
  'session start': hook('SessionStart', { source: 'startup' }),
  'a prompt': hook('UserPromptSubmit', { prompt: TASK }),
  'before a tool': hook('PreToolUse', {
    tool_name: 'Bash',
    tool_input: { command: 'npm install zebra-module' },
  }),
  'the injected text': ({ call }, cwd) => call('recall.inject', { cwd, query: TASK }),
  search: ({ call }, cwd) => call('recall.search', { query: TASK, cwd }),
  'search in every project': ({ call }) => call('recall.search', { query: TASK, global: true }),
  'the index': ({ call }, cwd) => call('recall.index', { query: TASK, cwd }),
  'the timeline around it': ({ call }, cwd, id) => call('recall.timeline', { anchor: id, cwd }),
  'the timeline of a query': ({ call }, cwd) => call('recall.timeline', { anchor: TASK, cwd }),
  'memories of a task': ({ call }, cwd) => call('memories.augment', { task: 'install packages', cwd }),
  experiences: ({ call }) => call('experience.query', { task: TASK, project: SHOP }),
  'a corpus': async ({ call }) => {
    await call('corpus.build', { name: 'all' });
    return [
      await call('corpus.query', { name: 'all', query: TASK }),
      await call('corpus.prime', { name: 'all' }),
    ];
  },
  'the graph': ({ call }) => call('graph.read', {}),
  'questions about twins and contradictions': ({ call }) => call('merges.list', {}),
  'everything distilled': async ({ call }, cwd) => [
    await call('distill.run', { now: true }),
    await call('principles.list', {}),
    await call('observations.list', {}),
    await call('persona.list', { cwd }),
    await call('conventions.refresh', { cwd }),
  ],
};

describe.each(['candidate', 'proposed'] as const)('a %s note never reaches an agent by', (status) => {
  test.each(Object.entries(AGENTS_WAYS))('%s', async (_way, ask) => {
    const { daemon, id, cwd } = await withWaiting(status);
    const answer = JSON.stringify(await ask(daemon, cwd, id)).replaceAll(
      JSON.stringify(TASK).slice(1, -1),
      '',
    );
    expect(answer).not.toMatch(/zebra/i);
  });

  test('its id', async () => {
    const { daemon, id } = await withWaiting(status);
    expect((await daemon.call('recall.hydrate', { ids: [id] })).learnings).toEqual([{ id, found: false }]);
  });
});

describe('a candidate never reaches an agent by', () => {
  test('an option of an MCP tool', () => {
    const asked = TOOLS.filter(({ name }) => name.startsWith('recall')).map(({ name, input, method }) => [
      name,
      'candidates' in ((input ?? METHODS[method].input) as { shape: object }).shape,
    ]);
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter(([, offered]) => offered)).toEqual([]);
  });
});

describe('a person', () => {
  test('finds a candidate by asking for candidates, and lists, reads and counts them', async () => {
    const { daemon, id, cwd } = await withWaiting('candidate');
    const { hits } = await daemon.call('recall.search', { query: TASK, cwd, candidates: true });
    expect(hits.map(({ learning: { id: found, status } }) => [found, status])).toContainEqual([
      id,
      'candidate',
    ]);
    const everywhere = await daemon.call('recall.search', { query: TASK, global: true, candidates: true });
    expect(everywhere.hits.map(({ learning }) => learning.id)).toContain(id);
    expect((await daemon.call('learnings.list', { status: 'candidate' })).total).toBe(4);
    expect((await daemon.call('learnings.list', {})).facets['status']).toEqual([
      { value: 'candidate', count: 4 },
      { value: 'active', count: 1 },
    ]);
    expect((await daemon.call('status', {})).learnings).toBe(1);
  });

  test('finds it by its meaning too; as a learning everybody does', async () => {
    const { store, titles, learnings } = await world([WAITING, { title: 'Round per line', project: SHOP }]);
    const ask = { query: 'adding a dependency to zebras', project: SHOP, knobs: { RECALL_BM25_ARM: false } };
    expect(await titles(ask)).not.toContain(WAITING.title);
    expect(await titles({ ...ask, candidates: true })).toContain(WAITING.title);
    changeLearning(
      store,
      learnings[0]?.id ?? '',
      { status: 'active' },
      { actor: 'test', kind: 'promote', reason: 'kept' },
    );
    expect(await titles(ask)).toContain(WAITING.title);
  });
});
