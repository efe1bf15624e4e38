import { expect, test } from 'vitest';
import { proof } from '../../testing/proof.ts';
import { world } from '../../testing/world.ts';
import { period } from './period.ts';

const lastWeek = { title: 'Payments retry only idempotent calls', scope: 'global' as const, daysAgo: 4 };
const older = { title: 'Payments are settled by the nightly job', scope: 'global' as const, daysAgo: 90 };
const words = { RECALL_VECTOR_ARM: false };

// R6: NOW is Monday, 15 June 2026, so last week is 8 to 14 June.
proof(period, 'a question that names its time exactly gets only what was learned then', {
  given: [lastWeek, older],
  ask: { query: 'what did we learn about payments last week', knobs: words },
  off: [lastWeek.title, older.title],
  on: [lastWeek.title],
});

test('R6: a vague time prefers, it does not filter; how exact it must be is a setting', async () => {
  const { titles } = await world([lastWeek, older]);
  const ask = (knobs = {}) => titles({ query: 'payments in june', knobs: { ...words, ...knobs } });
  expect(await ask()).toEqual([lastWeek.title, older.title]);
  expect(await ask({ RECALL_TEMPORAL_FILTER_CERTAINTY: 0.5 })).toEqual([lastWeek.title]);
});

test('R6: where nothing relevant was learned then, all times are searched and the answer says so', async () => {
  const unrelated = { title: 'Name branches after the ticket', scope: 'global' as const, daysAgo: 4 };
  const { recall } = await world([older, unrelated]);
  const { hits, notices } = await recall({ query: 'payments last week', knobs: words });
  expect(hits.map(({ learning }) => learning.title)).toContain(older.title);
  expect(notices).toContain('Nothing relevant was learned “last week”; searched all times instead.');
});

test('R6: a year that is named is exact', async () => {
  const { recall } = await world([lastWeek, older]);
  const { notices } = await recall({ query: 'payments in 2020', knobs: words });
  expect(notices).toContain('Nothing relevant was learned “in 2020”; searched all times instead.');
});
