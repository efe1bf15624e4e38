import { expect, test } from 'vitest';
import { followUpRate } from '../store/outcomes/recall-log.ts';
import { world } from '../testing/world.ts';

const knobs = { RECALL_VECTOR_ARM: false };
const notes = [
  { title: 'Feed the cat at noon', scope: 'global' as const },
  { title: 'Walk the dog at dawn', scope: 'global' as const },
];

test('A4: asking something else right after, with nothing in common, is a follow-up; asking the same again is not', async () => {
  const { store, recall } = await world(notes);
  await recall({ query: 'cat', session: 's1', knobs });
  await recall({ query: 'cat', session: 's1', knobs });
  expect(followUpRate(store.db)).toBe(0);
  await recall({ query: 'dog', session: 's1', knobs });
  expect(followUpRate(store.db)).toBeCloseTo(1 / 3);
});

const FIRST = { query: 'cat', session: 's1', knobs };
const SECOND = { query: 'dog', session: 's1', knobs };

test.each([
  ['asked by another session', FIRST, { ...SECOND, session: 's2' }, 0],
  ['asked more than half a minute later', FIRST, SECOND, 31_000],
  ['asked after an answer that was empty', { ...FIRST, query: 'unicorn' }, SECOND, 0],
  ['that finds nothing itself', FIRST, { ...SECOND, query: 'unicorn' }, 0],
  ['asked with the port off', FIRST, { ...SECOND, knobs: { ...knobs, RECALL_FOLLOWUP: false } }, 0],
])('A4: a question %s is no follow-up', async (_which, first, second, msLater) => {
  const { store, recall, parts } = await world(notes);
  await recall(first);
  Object.assign(parts, { now: () => store.now() + msLater });
  await recall(second);
  expect(followUpRate(store.db)).toBe(0);
});
