import { expect, test } from 'vitest';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { dates } from './dates.ts';

const inTime = { title: 'Payments retry only idempotent calls', scope: 'global' as const, daysAgo: 4 };
const sameWords = {
  title: 'Payments: what broke last week and what we change',
  scope: 'global' as const,
  daysAgo: 90,
};

// R6: "last week" is a time, not two more words.
proof(dates, 'a phrase of time becomes a time instead of matching notes that happen to contain its words', {
  given: [inTime, sameWords],
  ask: { query: 'what did we change in payments last week', knobs: { RECALL_VECTOR_ARM: false } },
  off: [sameWords.title, inTime.title],
  on: [inTime.title],
});

test('R6: the trace tells which days were understood', async () => {
  const { parts } = await world([inTime]);
  const { answer } = await import('../recall.ts');
  const { trace = [] } = await answer(parts, { query: 'payments last week' }, { explain: true });
  expect(trace[0]).toMatchObject({ port: 'query.dates', says: '"last week" is 2026-06-08 to 2026-06-14' });
});
