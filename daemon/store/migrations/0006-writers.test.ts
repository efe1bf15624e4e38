import { expect, test } from 'vitest';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { readBreaker, readQuota, recordRun, saveQuota, totalsByDay } from '../capture/writer-usage.ts';
import { MIGRATIONS } from './index.ts';

test('a store of version 5 gets empty tables for the cost of writers', () => {
  const db = connect(':memory:');
  migrate(db, null, MIGRATIONS.slice(0, 5));
  db.exec(`INSERT INTO meta (key, value) VALUES ('kept', 'yes')`);
  migrate(db, null, MIGRATIONS.slice(0, 6));
  expect(db.pragma('user_version', { simple: true })).toBe(6);
  expect(db.prepare(`SELECT value FROM meta WHERE key = 'kept'`).pluck().get()).toBe('yes');
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
