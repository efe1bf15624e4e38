import { expect, test } from 'vitest';
import { METHODS } from '#contract/methods.ts';
import { findLearning } from '../../store/learnings/learnings.ts';
import { runDaemon } from '../../testing/running-daemon.ts';
import { world } from '../../testing/world.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { hydrate, index, timeline } from './staged.ts';

const words = { RECALL_VECTOR_ARM: false };
const shop = 'github.com/acme/shop';
const body = 'Signal the tasks first, await them with a deadline, and only then drop the runtime. '.repeat(
  40,
);
const tokio = [
  {
    title: 'Graceful tokio shutdown ordering',
    body,
    project: shop,
    entities: [{ name: 'tokio', type: 'technology' as const }],
  },
  { title: 'Abort versus cancel on a tokio JoinHandle', body, project: shop },
  {
    title: `Tokio panics on shutdown when ${'"a blocking task\\" '.repeat(18)}still runs`,
    body,
    project: shop,
  },
];
const costs = (rows: object[]) => rows.map((row) => estimateTokens(JSON.stringify(row)));

test('M1: rows of the index stay within their budget of tokens; switched off they do not', async () => {
  const { parts } = await world(tokio);
  const question = { query: 'tokio panic on shutdown', project: shop, knobs: words };
  const { rows, tokens } = await index(parts, question);
  expect(rows).toHaveLength(3);
  expect(Math.max(...costs(rows))).toBeLessThanOrEqual(100);
  expect(tokens).toBe(costs(rows).reduce((sum, cost) => sum + cost, 0));
  for (const { title, project, score, date } of rows) {
    expect([
      title.length <= 120,
      project.length <= 40,
      String(score).length <= 6,
      /^\d{4}-\d\d-\d\d$/.test(date),
    ]).toEqual([true, true, true, true]);
  }
  const narrow = await index(parts, { ...question, knobs: { ...words, REFLECT_INDEX_ROW_TOKENS: 50 } });
  expect(Math.max(...costs(narrow.rows))).toBeLessThanOrEqual(50);
  const off = await index(parts, { ...question, knobs: { ...words, RECALL_STAGED: false } });
  expect(Math.max(...costs(off.rows))).toBeGreaterThan(100);
});

test('M1: whole notes cost strictly more than the index that offers them, and only those chosen are paid for', async () => {
  const { parts } = await world(tokio);
  const { rows, tokens } = await index(parts, {
    query: 'tokio panic on shutdown',
    project: shop,
    knobs: words,
  });
  const [first, ...others] = rows.map(({ id }) => id);
  const one = hydrate(parts, { ids: [first ?? ''] });
  expect(one.tokens).toBeGreaterThan(tokens);
  expect(hydrate(parts, { ids: [first ?? '', ...others] }).tokens).toBeGreaterThan(one.tokens * 2);
  expect(JSON.stringify(rows)).not.toContain('Signal the tasks');
});

test('M1: hydrate gives the note whole with its entities, and says of an unknown id that it is unknown', async () => {
  const {
    parts,
    learnings: [shutdown],
  } = await world(tokio);
  const { learnings } = hydrate(parts, { ids: ['lrn-nobody-000000', shutdown?.id ?? '', 'NOT AN ID/..'] });
  expect(learnings).toMatchObject([
    { id: 'lrn-nobody-000000', found: false },
    {
      id: shutdown?.id,
      found: true,
      title: shutdown?.title,
      project: shop,
      date: '2026-06-15',
      note: { body: shutdown?.body },
      entities: [{ name: 'tokio' }],
    },
    { id: 'NOT AN ID/..', found: false },
  ]);
});

test('M1: a note counts as recalled once it is read, not when its title is shown', async () => {
  const {
    parts,
    store: { db },
    learnings: [shutdown],
  } = await world(tokio);
  const id = shutdown?.id ?? '';
  await index(parts, { query: 'tokio shutdown', project: shop, knobs: words });
  expect(findLearning(db, id)?.signals.recallCount).toBe(0);
  hydrate(parts, { ids: [id, id] });
  hydrate(parts, { ids: [id], quiet: true });
  expect(findLearning(db, id)?.signals.recallCount).toBe(1);
});

const days = Array.from({ length: 9 }, (_, day) => ({
  title: `Day ${day + 1} of the rollout`,
  project: shop,
  daysAgo: 9 - day,
}));
const elsewhere = { title: 'A rollout elsewhere', project: 'github.com/acme/other', daysAgo: 5 };
const around = { before: 3, after: 3, knobs: words };

test('M1: the timeline shows what was learned before and after, within the scope, and which row was asked for', async () => {
  const { parts, learnings } = await world([...days, elsewhere]);
  const anchor = learnings[4]?.id ?? '';
  const { rows, tokens } = await timeline(parts, { anchor, project: shop, ...around });
  expect(rows.map(({ title, anchor: flagged }) => `${title.split(' ')[1]}${flagged ? '*' : ''}`)).toEqual([
    '2',
    '3',
    '4',
    '5*',
    '6',
    '7',
    '8',
  ]);
  expect(tokens).toBe(costs(rows).reduce((sum, cost) => sum + cost, 0));
  const everywhere = await timeline(parts, { anchor, global: true, ...around });
  expect(everywhere.rows.map(({ title }) => title)).toContain(elsewhere.title);
  expect((await timeline(parts, { anchor, project: shop, before: 0, after: 1 })).rows).toHaveLength(2);
});

test('M1: the anchor may be a question, may lie in another project, and may be nothing at all', async () => {
  const { parts, learnings } = await world([...days, elsewhere]);
  const byQuestion = await timeline(parts, { anchor: 'day 2 of the rollout', project: shop, ...around });
  expect(byQuestion.rows.filter(({ anchor }) => anchor)).toMatchObject([{ title: 'Day 2 of the rollout' }]);
  const foreign = await timeline(parts, { anchor: learnings[9]?.id ?? '', project: shop, ...around });
  expect(foreign.rows).toMatchObject([{ title: elsewhere.title, anchor: true }]);
  expect(await timeline(parts, { anchor: 'unicorns', project: shop, ...around })).toEqual({
    rows: [],
    tokens: 0,
  });
});

test('M1: the contract teaches the order of the steps, and only the start tells to always follow it', async () => {
  const methods = ['recall.index', 'recall.timeline', 'recall.hydrate'] as const;
  expect(methods.map((method) => METHODS[method].doc.slice(0, 7))).toEqual(['Step 1:', 'Step 2:', 'Step 3:']);
  const { call } = await runDaemon();
  await call('learnings.create', { note: { title: 'Graceful tokio shutdown ordering', scope: 'global' } });
  const found = await call('recall.index', { query: 'tokio shutdown' });
  expect(found.rows).toMatchObject([{ title: 'Graceful tokio shutdown ordering' }]);
  expect(JSON.stringify(found)).not.toContain('ALWAYS FOLLOW');
  expect((await call('recall.workflow', {})).text).toContain('ALWAYS FOLLOW');
});

test('M1: an index has twenty rows unless asked otherwise', async () => {
  const { parts } = await world(
    Array.from({ length: 30 }, (_, number) => ({
      title: `Rollout step ${number}`,
      scope: 'global' as const,
    })),
  );
  expect((await index(parts, { query: 'rollout', knobs: words })).rows).toHaveLength(20);
  expect((await index(parts, { query: 'rollout', limit: 25, knobs: words })).rows).toHaveLength(25);
});
