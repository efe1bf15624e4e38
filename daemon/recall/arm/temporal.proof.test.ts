import { expect, test } from 'vitest';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { temporal } from './temporal.ts';

const older = [1, 2, 3, 4, 5, 6].map((number) => ({
  title: `What we decide about auth, part ${number}: tokens of the auth service`,
  scope: 'global' as const,
  daysAgo: 100 + number * 10,
}));
const lastWeek = {
  title: 'Rotate signing keys every quarter',
  body: 'Agreed with the auth team.',
  scope: 'global' as const,
  daysAgo: 6,
};
// The filter would keep nothing else, with or without the arm.
const words = { RECALL_VECTOR_ARM: false, RECALL_TEMPORAL_FILTER: false };

// R5: NOW is Monday, 15 June 2026, so last week is 8 to 14 June.
proof(temporal, 'what was decided in the time asked about is not crowded out by what fits the words better', {
  given: [...older, lastWeek],
  ask: { query: 'what did we decide last week about auth', limit: 1, knobs: words },
  off: [older[0]?.title ?? ''],
  on: [lastWeek.title],
});

proof(temporal, 'a question about what holds now is answered by the newest', {
  given: [
    { title: 'Our API auth: we use JWT for API auth', scope: 'global' as const, daysAgo: 60 },
    { title: 'API auth migrated to server-side sessions', scope: 'global' as const, daysAgo: 5 },
  ],
  ask: { query: "what's our current API auth", knobs: { ...words, RECALL_RECENCY_BOOST: false } },
  off: ['Our API auth: we use JWT for API auth', 'API auth migrated to server-side sessions'],
  on: ['API auth migrated to server-side sessions', 'Our API auth: we use JWT for API auth'],
});

test('R5: without a phrase of time the arm is silent, and says so', async () => {
  const { parts } = await world([lastWeek]);
  const { answer } = await import('../recall.ts');
  const { trace = [] } = await answer(parts, { query: 'signing keys' }, { explain: true });
  expect(trace.find(({ port }) => port === 'arm.temporal')).toMatchObject({
    candidates: [],
    says: 'no time in the question',
  });
});
