import { expect, test } from 'vitest';
import { connect } from '../connection.ts';
import { appendHistory, searchHistory } from '../learnings/history-log.ts';
import { listLoops, putLoop } from '../outcomes/loops.ts';
import { migrate } from '../migrate.ts';
import { addReview, listReviews } from '../outcomes/reviews.ts';
import { getTrace, listTraces, putTrace } from '../outcomes/traces.ts';
import { storeAt } from './testing.ts';

test('a store of version 6 gets empty tables for outcomes', () => {
  const { db, upgrade } = storeAt(6);
  upgrade();
  migrate(db, null);
  expect([
    listTraces(db, false, 9),
    listReviews(db, { limit: 9 }),
    listLoops(db, undefined, 9),
    searchHistory(db, { query: '', limit: 9 }),
  ]).toEqual([[], [], [], []]);
  putTrace(db, {
    id: 't',
    at: 1,
    task: 'Ship it',
    trajectory: [{ role: 'user', content: 'go' }],
    finalResponse: '',
    retrievedMemoryIds: ['a'],
    metadata: { k: [1] },
    project: '',
    branch: null,
    session: '',
  });
  expect(getTrace(db, 't')).toMatchObject({
    retrievedMemoryIds: ['a'],
    metadata: { k: [1] },
    result: null,
    memoryId: null,
  });
  putLoop(db, {
    id: 'ralph-a',
    task: 'x',
    verificationType: 'lint',
    omega: null,
    windowPolicy: 'fifo',
    maxIterations: 3,
    project: '',
    startedAt: 1,
  });
  expect(listLoops(db, 'running', 9)).toMatchObject([{ iterations: 0, lastReward: null }]);
});

test('a session judges a learning by the same outcome once; traces may judge it again and again', () => {
  const db = connect(':memory:');
  migrate(db, null);
  const review = {
    at: 1,
    learningId: 'a',
    source: 'tests-fixed',
    result: 'pass',
    alpha: 0.1,
    qBefore: 0.5,
    qAfter: 0.55,
    qualityStep: 0,
    traceId: null,
    session: 's',
    reason: '',
  } as const;
  expect([
    addReview(db, review),
    addReview(db, review),
    addReview(db, { ...review, source: 'correction' }),
    addReview(db, { ...review, session: 's2' }),
  ]).toEqual([true, false, true, true]);
});

test('history is found by all the words asked for, newest first, whatever their case', () => {
  const db = connect(':memory:');
  migrate(db, null);
  const tell = (at: number, text: string, project = 'p') =>
    appendHistory({ db, now: () => at }, { kind: 'event', project, session: '', text });
  tell(1, 'Rolled back the Stripe webhook');
  tell(2, 'Stripe keys rotated');
  tell(3, 'webhook of stripe replayed', 'q');
  expect(searchHistory(db, { query: 'STRIPE webhook', limit: 9 }).map(({ at }) => at)).toEqual([3, 1]);
  expect(searchHistory(db, { query: 'stripe', project: 'p', limit: 1 }).map(({ at }) => at)).toEqual([2]);
  expect(searchHistory(db, { query: 'nothing', limit: 9 })).toEqual([]);
});
