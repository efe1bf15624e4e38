import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drainWorld } from '../../drain/testing.ts';
import { pathsOf } from '../../platform/paths.ts';
import { getLearning } from '../../store/learnings/learnings.ts';
import { runDaemon } from '../../testing/running-daemon.ts';
import { world } from '../../testing/world.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';
import { discoveryTokens, economicsLine, economicsOf, tokenEconomics } from './economics.ts';

const scope = 'global' as const;
const words = { RECALL_VECTOR_ARM: false };
const notes = [
  { title: 'Cache keys of the menu carry the tenant', type: 'bug-fix', scope },
  { title: 'Cache menus for a minute', type: 'decision', scope },
  { title: 'Cache nothing that names a person', type: 'rumour', scope },
];

test('M8: the economics come with every recall, and the kill switch takes them away', async () => {
  const { recall } = await world(notes);
  const ask = (state: boolean) =>
    recall({ query: 'cache menu', knobs: { ...words, [tokenEconomics.switch.name]: state } });
  const on = await ask(true);
  expect(on.economics).toMatchObject({ learnings: on.hits.length, readTokens: on.tokens });
  expect(on.economics?.footer).toBe(
    `memory: ${on.hits.length} learnings, ~${on.tokens} tok injected, est ~${on.economics?.savedTokens} tok saved`,
  );
  expect(on.economics?.rows.map(({ id }) => id)).toEqual(on.hits.map(({ learning }) => learning.id));
  const off = await ask(false);
  expect(off).not.toHaveProperty('economics');
  expect(off.hits.map(({ learning }) => learning.id)).toEqual(on.hits.map(({ learning }) => learning.id));
});

test('M8: nothing found is nothing saved', async () => {
  const { recall } = await world(notes);
  expect(await recall({ query: 'unicorn', knobs: words })).not.toHaveProperty('economics');
  expect(economicsLine([])).toBe('');
});

test('M8: what it cost to find out: as noted, else by the transcript, else by its type', async () => {
  const provenance = { transcript: 'session.jsonl', spanStart: 1_000, spanEnd: 9_000 };
  const { learnings } = await world([
    ...['bug-fix', 'anti-pattern', 'correction', 'pattern', 'decision', 'rumour'].map((type) => ({
      title: `A ${type} of late`,
      type,
      scope,
    })),
    { title: 'From a transcript', type: 'bug-fix', provenance, scope },
    { title: 'As the writer noted', type: 'bug-fix', provenance, metadata: { discoveryTokens: 777 }, scope },
    { title: 'As another program noted', frontMatter: { discovery_tokens: 4_100 }, scope },
    { title: 'Noted in nonsense', type: 'decision', metadata: { discoveryTokens: -5 }, scope },
  ]);
  expect(learnings.map(discoveryTokens)).toEqual([
    3_000, 2_500, 2_000, 1_500, 1_200, 1_500, 2_000, 777, 4_100, 1_200,
  ]);
});

test('M8: a row says what was paid and what is; reading may also cost more', async () => {
  const {
    learnings: [bug, rumour],
  } = await world([
    notes[0] ?? { title: '' },
    { ...notes[2], title: 'A costly rumour', metadata: { discoveryTokens: 100 } },
  ]);
  if (!bug || !rumour) throw new Error('both were given');
  const report = economicsOf(
    [
      { learning: bug, tokens: 300 },
      { learning: rumour, tokens: 150 },
    ],
    { 'bug-fix': '✗' },
  );
  expect(report?.rows.map(({ text }) => text)).toEqual(['✗ D:3000 → R:300 (-90%)', '· D:100 → R:150 (+50%)']);
  expect(report).toMatchObject({
    discoveryTokens: 3_100,
    readTokens: 450,
    savedTokens: 2_650,
    header: '— 2 learnings, ~450 tok injected, est ~2650 tok saved',
  });
});

test('M8: a note that was drained knows the dialogue it took to learn it', async () => {
  const { say, drain, moments, store } = drainWorld();
  const [quote, reply] = ["don't mock the database", 'I see: the mock hid the broken migration. '.repeat(20)];
  say(quote, { reply });
  await drain.run();
  const learning = getLearning(store.db, moments()[0]?.learningId ?? '');
  expect(discoveryTokens(learning)).toBe(estimateTokens(quote) + estimateTokens(reply));
});

test('M8: the signs are those of the mode in force, as the product recalls', async () => {
  const daemon = await runDaemon({ REFLECT_MODE: 'mine' });
  const { modes } = pathsOf(daemon.home);
  mkdirSync(modes, { recursive: true });
  writeFileSync(
    join(modes, 'mine.json'),
    JSON.stringify({
      learningTypes: [{ id: 'note', label: 'Note', glyph: '♫' }],
      categories: [{ name: 'all' }],
    }),
  );
  await daemon.call('learnings.create', {
    note: { title: 'Cache menus for a minute', type: 'note', scope: 'global' },
  });
  const { economics } = await daemon.call('recall.search', { query: 'cache menus' });
  expect(economics?.rows[0]?.text).toMatch(/^♫ D:/);
});

test('M8: an injected block gets its one line', async () => {
  const { learnings } = await world(notes);
  expect(economicsLine(learnings)).toMatch(/^— 3 learnings, ~\d+ tok injected, est ~\d+ tok saved$/);
});
