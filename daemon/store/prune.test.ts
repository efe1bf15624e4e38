import { expect, test } from 'vitest';
import { START, tempStore } from '../testing/temp-home.ts';
import { pruneLogs } from './prune.ts';
import { enqueueMoment, settleMoment } from './capture/moments.ts';
import { agentOfSession, recordLiveSession } from './capture/sessions.ts';
import { logRecall, recallSpeed } from './outcomes/recall-log.ts';
import { addUses, usesOfSession } from './outcomes/session-uses.ts';
import { DAY } from '../platform/time.ts';

const told = (session: string, daysAgo: number) =>
  ({
    session,
    ids: ['lrn-a-000001'],
    via: 'start',
    agent: 'claude-code',
    project: 'p',
    at: START - daysAgo * DAY,
  }) as const;
const recalled = (daysAgo: number) => ({
  at: START - daysAgo * DAY,
  query: 'q',
  project: 'p',
  session: 's',
  ms: 1,
  ids: [],
});

test('recalls older than a season and injections older than a year are deleted; the rest stays', () => {
  const { db } = tempStore();
  for (const days of [400, 91, 89, 0]) logRecall(db, recalled(days), false);
  for (const days of [366, 364, 0]) addUses(db, told(`${days} days ago`, days));
  for (const days of [366, 364])
    recordLiveSession(
      db,
      { session: `${days} days ago`, agent: 'claude-code', project: 'p', at: START - days * DAY },
      () => true,
    );
  expect(pruneLogs(db, START)).toBe(4);
  expect([366, 364].map((days) => agentOfSession(db, `${days} days ago`))).toEqual([null, 'claude-code']);
  expect(recallSpeed(db).count).toBe(2);
  expect([366, 364, 0].map((days) => usesOfSession(db, `${days} days ago`, 10).length)).toEqual([0, 1, 1]);
  expect(pruneLogs(db, START)).toBe(0);
});

test('the words of moments that led to nothing go after a year; those behind a note and those that wait stay', () => {
  const { db } = tempStore();
  const moment = (key: string, daysAgo: number, state: 'dismissed' | 'kept' | null) => {
    const about = { signal: 'human', agent: 'claude-code', session: 's', transcript: 't', project: 'p' };
    const at = START - daysAgo * DAY;
    const id = enqueueMoment(db, { ...about, key, chunkHash: key, branch: null, at, payload: '{}' }, at) ?? 0;
    if (state) settleMoment(db, id, state, state === 'kept' ? 'lrn-a-000001' : null);
  };
  moment('old', 366, 'dismissed');
  moment('lately', 364, 'dismissed');
  moment('behind a note', 366, 'kept');
  moment('waits', 366, null);
  expect(pruneLogs(db, START)).toBe(1);
  const left = db.prepare(`SELECT key FROM capture_window WHERE session <> '' ORDER BY id`).pluck().all();
  expect(left).toEqual(['lately', 'behind a note', 'waits']);
  expect(pruneLogs(db, START)).toBe(0);
});

test('however many recalls there are, only the latest are kept', () => {
  const { db } = tempStore();
  for (let index = 0; index < 30; index++) {
    logRecall(db, recalled(0), false);
    addUses(db, { ...told(`s${index}`, 1), at: START - DAY + index });
  }
  expect(pruneLogs(db, START, { recalls: { days: 90, rows: 20 }, uses: { days: 365, rows: 25 } })).toBe(15);
  expect(recallSpeed(db).count).toBe(20);
  expect([4, 5].map((index) => usesOfSession(db, `s${index}`, 1).length)).toEqual([0, 1]);
});
