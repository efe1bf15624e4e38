import { expect, test } from 'vitest';
import { listGaps } from '../store/learnings/questions.ts';
import { world } from '../testing/world.ts';

const knobs = { RECALL_VECTOR_ARM: false };

test('SG6: a question that finds nothing is remembered, one that finds something is not, and the knob switches it off', async () => {
  const { store, recall } = await world([{ title: 'Feed the cat at noon', scope: 'global' }]);
  await recall({ query: 'feed the cat', session: 's1', knobs });
  await recall({ query: 'how to tame a unicorn', session: 's1', knobs: { ...knobs, RECALL_GAP_LOG: false } });
  expect(listGaps(store.db)).toEqual([]);
  await recall({ query: 'how to tame a unicorn', session: 's1', knobs });
  await recall({ query: 'tame unicorn, how to?', session: 's2', knobs });
  expect(listGaps(store.db)).toMatchObject([{ times: 2, sessions: 2 }]);
});

test('SG6: an answer the gate held back is a gap too', async () => {
  const { store, recall } = await world([{ title: 'Feed the cat at noon', scope: 'global' }]);
  await recall({
    query: 'feed an entirely different animal of the forest',
    knobs: { ...knobs, REFLECT_RECALL_MIN_OVERLAP: 0.9 },
  });
  expect(listGaps(store.db)).toHaveLength(1);
});

test('SG6: a secret in a question is not remembered with it', async () => {
  const { store, recall } = await world([]);
  const token = `ghp_${'aB3dE5gH7'.repeat(4)}`;
  await recall({
    query: `how to tame a unicorn with ${token} <private>at home</private>`,
    session: 's1',
    knobs,
  });
  expect(listGaps(store.db)).toMatchObject([
    { query: 'how to tame a unicorn with [redacted github token] [private content removed]' },
  ]);
  expect(store.db.prepare('SELECT query FROM recall_log').pluck().get()).not.toMatch(/ghp_|home/);
});
