import { expect, test } from 'vitest';
import { followUpRate } from '../store/outcomes/recall-log.ts';
import { world } from '../testing/world.ts';

const knobs = { RECALL_VECTOR_ARM: false };
const notes = [
  { title: 'Feed the cat at noon', scope: 'global' as const },
  { title: 'Walk the dog at dawn', scope: 'global' as const },
];

test('A4: asking something else right after, with nothing in common, is a follow-up; asking the same again is none', async () => {
  const { store, recall } = await world(notes);
  await recall({ query: 'cat', session: 's1', knobs });
  await recall({ query: 'cat', session: 's1', knobs });
  expect(followUpRate(store.db)).toBe(0);
  await recall({ query: 'dog', session: 's1', knobs });
  expect(followUpRate(store.db)).toBeCloseTo(1 / 3);
});

test('A4: another session, another time, an empty answer or the knob off make none', async () => {
  const { store, recall, parts } = await world(notes);
  await recall({ query: 'cat', session: 's1', knobs });
  await recall({ query: 'dog', session: 's2', knobs });
  await recall({ query: 'unicorn', session: 's1', knobs });
  await recall({ query: 'dog', session: 's3', knobs });
  await recall({ query: 'cat', session: 's3', knobs: { ...knobs, RECALL_FOLLOWUP: false } });
  Object.assign(parts, { now: () => store.now() + 31_000 });
  await recall({ query: 'dog', session: 's1', knobs });
  expect(followUpRate(store.db)).toBe(0);
});
