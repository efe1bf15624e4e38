import { expect, test } from 'vitest';
import { readBreaker, readQuota, recordRun, saveQuota, totalsByDay } from '../capture/writer-usage.ts';
import { storeAt } from './testing.ts';

test('a store of version 5 gets empty tables for the cost of writers', () => {
  const { db, upgrade } = storeAt(5);
  upgrade();
  expect([totalsByDay(db, 7), readQuota(db, 'command'), readBreaker(db, 'command').streak]).toEqual([
    [],
    [],
    0,
  ]);
  recordRun(db, {
    at: 1,
    writer: 'command',
    model: 'm',
    moment: 'k',
    tokensIn: 1,
    tokensOut: 2,
    costUsd: null,
    ms: 3,
    outcome: 'valid',
    detail: '',
  });
  saveQuota(db, 'command', [
    { window: 'five_hour', utilization: 0.5, closed: false, resetsAt: null, seenAt: 1 },
  ]);
  expect(totalsByDay(db, 7)).toMatchObject([{ runs: 1, notes: 1, tokensIn: 1, tokensOut: 2, costUsd: null }]);
});
