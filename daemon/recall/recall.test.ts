import { expect, test } from 'vitest';
import { world } from '../testing/world.ts';
import { answer } from './recall.ts';

const words = { RECALL_VECTOR_ARM: false };
const cat = { title: 'Feed the cat at noon', scope: 'global' as const };
const dog = { title: 'Walk the dog at dawn', scope: 'global' as const };

test('retired, superseded and non-latest notes never surface, by whatever arm', async () => {
  const entities = [{ name: 'cat', type: 'concept' as const }];
  const { titles } = await world([
    { ...cat, entities },
    { title: 'Feed the cat twice', status: 'archived', scope: 'global', entities },
    { title: 'Feed the cat never', status: 'superseded', isLatest: false, scope: 'global', entities },
    { title: 'Feed the cat once', isLatest: false, scope: 'global', entities },
    { title: 'Feed the cat maybe', status: 'proposed', scope: 'global', entities },
  ]);
  expect(await titles({ query: 'feed the cat' })).toEqual([cat.title]);
});

test('the explanation is the run itself: its last step is what was returned', async () => {
  const { parts } = await world([cat, dog]);
  const { hits, trace = [] } = await answer(
    parts,
    { query: 'feed the cat', knobs: words },
    { explain: true },
  );
  expect(trace.at(-1)?.candidates.map(({ id, score }) => [id, score])).toEqual(
    hits.map(({ learning, score }) => [learning.id, score]),
  );
  expect(trace.map(({ stage }) => stage)).toEqual(
    expect.arrayContaining([
      'query',
      'scope',
      'cache',
      'arm',
      'floor',
      'fuse',
      'rerank',
      'gate',
      'boost',
      'diversify',
      'budget',
    ]),
  );
  expect(trace.every(({ ms, says }) => ms >= 0 && says.length > 0)).toBe(true);
});

test('since and until leave out what was learned at another time', async () => {
  const { titles, parts } = await world([
    { ...cat, daysAgo: 30 },
    { title: 'Feed the cat fish', scope: 'global', daysAgo: 2 },
  ]);
  expect(await titles({ query: 'feed the cat', since: parts.now() - 7 * 86_400_000, knobs: words })).toEqual([
    'Feed the cat fish',
  ]);
  expect(await titles({ query: 'feed the cat', until: parts.now() - 7 * 86_400_000, knobs: words })).toEqual([
    cat.title,
  ]);
});

test.each(['', '   ', '!!!', '"', 'NEAR(', '* OR', '\u0000', '🦄', 'x'.repeat(4_000)])(
  'a question like %j gets an honest answer or none, never a fault',
  async (query) => {
    const { recall } = await world([cat]);
    expect((await recall({ query, knobs: words })).hits.length).toBeLessThanOrEqual(1);
  },
);

test('a recall whose deadline has passed is dropped instead of searched to its end', async () => {
  const { parts } = await world([cat, dog]);
  const ask = (deadline: number) => answer(parts, { query: 'feed the cat', knobs: words, deadline });
  await expect(ask(performance.now() - 1)).rejects.toMatchObject({ code: 'timed-out' });
  expect((await ask(performance.now() + 60_000)).hits.map(({ learning }) => learning.title)).toContain(
    cat.title,
  );
});
