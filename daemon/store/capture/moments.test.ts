import { describe, expect, test } from 'vitest';
import { Moment } from '#contract/capture.ts';
import { given, tempStore } from '../../testing/temp-home.ts';
import {
  appendTurn,
  countQueue,
  enqueueMoment,
  failMoment,
  findMoment,
  leaseMoment,
  learningFromChunk,
  listMoments,
  nextDrainAt,
  payloadFor,
  settleMoment,
} from './moments.ts';
import { DAY, MINUTE } from '../../platform/time.ts';

const SAID = { chunkHash: 'same words', project: 'p', at: 1_000, within: DAY };

function world() {
  const store = tempStore();
  const { db } = store;
  const queue = (
    key: string,
    { at = 1_000, chunkHash = `chunk-${key}`, session = 'session', notBefore = 0 } = {},
  ) =>
    enqueueMoment(
      db,
      {
        key,
        chunkHash,
        session,
        at,
        signal: 'correction',
        agent: 'claude-code',
        transcript: 't.jsonl',
        project: 'p',
        branch: null,
        payload: JSON.stringify({ quote: `said ${key}`, why: ['no, '], turns: [{ text: 'first' }] }),
      },
      notBefore,
    );
  return { store, db, queue };
}

describe('the queue of moments', () => {
  test('gives the oldest first, once', () => {
    const { db, queue } = world();
    queue('later', { at: 2_000 });
    queue('earlier', { at: 1_000 });
    expect([leaseMoment(db, 5_000)?.key, leaseMoment(db, 5_000)?.key, leaseMoment(db, 5_000)]).toEqual([
      'earlier',
      'later',
      null,
    ]);
    expect(countQueue(db)).toBe(2);
  });

  test('shows a kept moment as its note is: a learning, a candidate, or dropped', () => {
    const { store, db, queue } = world();
    for (const status of ['active', 'candidate', 'rejected', 'archived'] as const)
      settleMoment(
        db,
        queue(status) ?? 0,
        'kept',
        given(store, { title: `It is ${status}`, status }).learning.id,
      );
    const states = listMoments(db, undefined, 10).map(({ state, quote }) => [quote, state]);
    expect(Object.fromEntries(states)).toEqual({
      'said active': 'kept',
      'said candidate': 'candidate',
      'said rejected': 'dismissed',
      'said archived': 'kept',
    });
  });

  test('takes a record once, however often a resumed session repeats it', () => {
    const { db, queue } = world();
    expect(queue('a')).toBe(1);
    expect(queue('a')).toBeNull();
    expect(countQueue(db)).toBe(1);
  });

  test('holds a moment back until the agent has answered', () => {
    const { db, queue } = world();
    expect(nextDrainAt(db)).toBeNull();
    queue('a', { notBefore: 9_000 });
    expect(leaseMoment(db, 8_999)).toBeNull();
    expect(nextDrainAt(db)).toBe(9_000);
    expect(leaseMoment(db, 9_000)).toMatchObject({
      key: 'a',
      attempts: 1,
      payload: expect.stringContaining('said a') as string,
    });
  });

  test('frees the lease of a dead daemon after a minute', () => {
    const { db, queue } = world();
    queue('a');
    leaseMoment(db, 5_000);
    expect(leaseMoment(db, 5_000 + MINUTE)).toBeNull();
    expect(leaseMoment(db, 5_001 + MINUTE)).toMatchObject({ key: 'a', attempts: 2 });
  });

  test('retries a failed moment at the set time, and keeps the reason', () => {
    const { db, queue } = world();
    const id = queue('a') ?? 0;
    leaseMoment(db, 5_000);
    failMoment(db, id, 'no room', 20_000);
    expect(findMoment(db, id)).toMatchObject({ state: 'queued', error: 'no room' });
    expect([leaseMoment(db, 19_999), leaseMoment(db, 20_000)?.attempts]).toEqual([null, 2]);
    failMoment(db, id, 'still no room', null);
    expect(findMoment(db, id)).toMatchObject({ state: 'failed', error: 'still no room' });
    expect([leaseMoment(db, 10 ** 9), countQueue(db), nextDrainAt(db)]).toEqual([null, 0, null]);
  });

  test('settles a moment with its learning, and recognises the same words later', () => {
    const { store, db, queue } = world();
    const { id: learningId } = given(store, { title: 'Use vitest' }).learning;
    const id = queue('a', { chunkHash: 'same words' }) ?? 0;
    expect(learningFromChunk(db, SAID)).toBeUndefined();
    settleMoment(db, id, 'kept', learningId);
    expect(learningFromChunk(db, SAID)).toBe(learningId);
    expect(payloadFor(db, learningId)).toContain('said a');
    const twin = queue('b', { chunkHash: 'same words', session: 'other' }) ?? 0;
    settleMoment(db, twin, 'duplicate', learningId);
    expect([findMoment(db, twin)?.state, countQueue(db)]).toEqual(['duplicate', 0]);
  });

  test('the same words count only in their project and within the time, whatever the branch', () => {
    const { store, db, queue } = world();
    const { id: learningId } = given(store, { title: 'Use vitest' }).learning;
    settleMoment(db, queue('a', { chunkHash: 'same words' }) ?? 0, 'kept', learningId);
    const known = (said: Partial<typeof SAID>) => learningFromChunk(db, { ...SAID, ...said }) !== undefined;
    expect([
      known({ project: 'other' }),
      known({ at: SAID.at + DAY }),
      known({ at: SAID.at + DAY + 1 }),
    ]).toEqual([false, true, false]);
    db.prepare(`UPDATE capture_window SET branch = 'feature'`).run();
    expect(known({})).toBe(true);
  });

  test('a dismissed moment does not count as the same words', () => {
    const { db, queue } = world();
    settleMoment(db, queue('a', { chunkHash: 'words' }) ?? 0, 'dismissed', null);
    expect(learningFromChunk(db, { ...SAID, chunkHash: 'words' })).toBeUndefined();
  });

  test('adds what was said right after, while it is not leased', () => {
    const { db, queue } = world();
    queue('a');
    appendTurn(db, 'a', JSON.stringify({ text: `it's "second" \\ 🧠` }));
    const { payload = '{}', id = 0 } = leaseMoment(db, 5_000) ?? {};
    expect((JSON.parse(payload) as { turns: object[] }).turns).toEqual([
      { text: 'first' },
      { text: `it's "second" \\ 🧠` },
    ]);
    appendTurn(db, 'a', JSON.stringify({ text: 'too late' }));
    appendTurn(db, 'nobody', JSON.stringify({ text: 'lost' }));
    failMoment(db, id, '', 0);
    expect(leaseMoment(db, 6_000)?.payload).toBe(payload);
  });
});

test('moments are listed newest first, of one session or all, as the contract has them', () => {
  const { db, queue } = world();
  queue('a', { at: 1, session: 'one' });
  queue('b', { at: 3, session: 'two' });
  queue('c', { at: 2, session: 'one' });
  expect(listMoments(db, undefined, 2).map(({ quote }) => quote)).toEqual(['said b', 'said c']);
  expect(listMoments(db, 'one', 10).map(({ quote }) => quote)).toEqual(['said c', 'said a']);
  for (const moment of listMoments(db, undefined, 10)) expect(Moment.parse(moment)).toEqual(moment);
  expect(findMoment(db, 4711)).toBeNull();
});
