import { describe, expect, test } from 'vitest';
import { type Captured, emptyCapture } from '../capture/captured.ts';
import { undo } from '../knowledge/revise.ts';
import { historyOf } from '../store/learnings/history.ts';
import { effectsSince } from '../store/capture/effects.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { enqueueMoment, leaseMoment, listMoments, settleMoment } from '../store/capture/moments.ts';
import { ingestCaptured } from '../testing/captured.ts';
import { SessionEvents } from '../testing/session-events.ts';
import { given, START, tempStore, type TempStore } from '../testing/temp-home.ts';
import { carryOutEffects } from './effects.ts';

const LESSON = "no, don't round the totals, we always keep cents as integers";
const lesson = () =>
  new SessionEvents()
    .human('Add the totals')
    .agent('Done, I rounded the totals.')
    .human(LESSON)
    .agent("You're right.")
    .noticed();
const effects = (...list: Array<Record<string, unknown>>): Captured => ({
  ...emptyCapture(),
  effects: list.map((effect) => ({
    session: 'session-1',
    at: Date.UTC(2026, 11, 1),
    cwd: '',
    ...effect,
  })) as never[],
});
const FIXED = { sees: 'tests-fixed', runner: 'pytest', failedRuns: 2 };

function learned(store: TempStore, confidence = 0.5, session = 'session-1'): string {
  return given(store, {
    title: `Keep cents as integers in ${session} ${confidence}`,
    confidence,
    speculative: true,
    provenance: { session },
  }).learning.id;
}

describe('tests that were fixed', () => {
  test('raise what the session learned by a tier, once, and what others learned not at all', () => {
    const store = tempStore();
    const [low, middle, other] = [learned(store, 0.5), learned(store, 0.6), learned(store, 0.5, 'another')];
    ingestCaptured(store, effects(FIXED));
    ingestCaptured(store, effects({ ...FIXED, at: Date.UTC(2026, 11, 2) }));
    expect(getLearning(store.db, low)).toMatchObject({
      confidence: 0.6,
      speculative: false,
      signals: { maturity: 'validated' },
    });
    expect(getLearning(store.db, middle).confidence).toBe(0.85);
    expect(getLearning(store.db, other)).toMatchObject({ confidence: 0.5, signals: { maturity: 'draft' } });
    expect(historyOf(store.db, low)[0]).toMatchObject({
      actor: 'tests',
      reason: 'pytest failed before and passes now',
    });
  });

  test('make learnings of the findings that wait, unless the judge hardly believed them; a person’s words wait on', () => {
    const store = tempStore();
    const wait = (title: string, confidence: number, signal: string) => {
      const { id } = given(store, { title, confidence, status: 'candidate' }).learning;
      const queued = enqueueMoment(
        store.db,
        {
          key: title,
          chunkHash: title,
          signal,
          agent: 'claude-code',
          session: 'session-1',
          transcript: 't.jsonl',
          project: '',
          branch: null,
          at: Date.UTC(2026, 10, 1),
          payload: '{}',
        },
        0,
      );
      settleMoment(store.db, queued ?? 0, 'kept', id);
      return id;
    };
    const found = wait('The cache was stale', 0.4, 'signal.root-cause');
    const doubted = wait('It may be the cache', 0.1, 'signal.root-cause');
    const said = wait('Look at the cache', 0.4, 'signal.correction');
    ingestCaptured(store, effects(FIXED));
    expect([found, doubted, said].map((id) => getLearning(store.db, id).status)).toEqual([
      'active',
      'candidate',
      'candidate',
    ]);
    expect(historyOf(store.db, found).map(({ kind, actor }) => [kind, actor])).toContainEqual([
      'promote',
      'tests',
    ]);
  });

  test('wait for what was noticed before them and is not written down yet', () => {
    const store = tempStore();
    ingestCaptured(store, lesson());
    ingestCaptured(store, effects(FIXED));
    const moment = leaseMoment(store.db, START);
    const id = learned(store);
    carryOutEffects(store);
    expect(getLearning(store.db, id).confidence).toBe(0.5);
    settleMoment(store.db, moment?.id ?? 0, 'kept', id);
    carryOutEffects(store);
    expect(getLearning(store.db, id).confidence).toBe(0.6);
  });
});

describe('what a person retracted', () => {
  const voidMoments = (store: TempStore, keys: string[]) =>
    ingestCaptured(store, { ...emptyCapture(), voided: keys });

  test('is never written down', () => {
    const store = tempStore();
    const { moments } = lesson();
    ingestCaptured(store, lesson());
    voidMoments(
      store,
      moments.map(({ key }) => key),
    );
    expect(listMoments(store.db, undefined, 10)).toMatchObject([{ state: 'dismissed', error: 'retracted' }]);
    expect(leaseMoment(store.db, START)).toBeNull();
  });

  test('is archived when it was written down already, which can be undone', () => {
    const store = tempStore();
    const id = learned(store);
    ingestCaptured(store, lesson());
    const moment = leaseMoment(store.db, START);
    voidMoments(store, [moment?.key ?? '']);
    expect(getLearning(store.db, id).status).toBe('active');
    settleMoment(store.db, moment?.id ?? 0, 'kept', id);
    carryOutEffects(store);
    expect(getLearning(store.db, id).status).toBe('archived');
    undo(store, historyOf(store.db, id)[0]?.id, 'person');
    expect(getLearning(store.db, id).status).toBe('active');
  });

  test('of which nothing was noticed, and what is read again, changes nothing', () => {
    const store = tempStore();
    voidMoments(store, ['signal.correction:unknown']);
    expect(listMoments(store.db, undefined, 10)).toEqual([]);
  });
});

test('trouble is kept to be asked for, once however often it is read', () => {
  const store = tempStore();
  const trouble = { sees: 'trouble', kind: 'loop', detail: 'the same call 3 times: Read a.ts' };
  ingestCaptured(store, effects(trouble));
  ingestCaptured(store, effects(trouble));
  expect(effectsSince(store.db, 'trouble', 0, 10)).toMatchObject([
    { session: 'session-1', detail: expect.stringContaining('Read a.ts') as string },
  ]);
});
