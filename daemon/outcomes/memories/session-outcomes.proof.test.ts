import { expect, test } from 'vitest';
import { carryOutEffects } from '../../drain/effects.ts';
import { drainWorld, withKnobs } from '../../drain/testing.ts';
import { noteEffect } from '../../store/capture/effects.ts';
import { getLearning } from '../../store/learnings/learnings.ts';
import { logRecall } from '../../store/outcomes/recall-log.ts';
import { listReviews, reviewsOf } from '../../store/outcomes/reviews.ts';
import { given, type TempStore } from '../../testing/temp-home.ts';
import { judgeBySessions, sessionOutcomes } from './session-outcomes.ts';
import { MINUTE } from '../../platform/time.ts';

const OFF = withKnobs({ [sessionOutcomes.switch.name]: false });
const on = withKnobs();

function recalled(store: TempStore, ids: string[], session = 's1'): void {
  logRecall(store.db, { at: store.now(), query: 'q', project: '', session, ms: 1, ids }, false);
  store.tick(MINUTE);
}

const effects = {
  fixed: { sees: 'tests-fixed', runner: 'vitest', failedRuns: 2 },
  broke: { sees: 'trouble', kind: 'test-regression', detail: 'vitest: totals are rounded' },
  loop: { sees: 'trouble', kind: 'loop', detail: 'the same call 3 times' },
};
function happens(store: TempStore, effect: keyof typeof effects, session = 's1'): void {
  noteEffect(store.db, {
    kind: effects[effect].sees,
    session,
    at: store.now(),
    detail: JSON.stringify(effects[effect]),
  });
  carryOutEffects(store);
  store.tick(MINUTE);
}

function setUp() {
  const world = drainWorld();
  const [used, unused] = ['Keep cents as integers', 'Rotate the keys'].map(
    (title) => given(world.store, { title }).learning.id,
  ) as [string, string];
  return {
    ...world,
    used,
    unused,
    utility: (id: string) => Number(getLearning(world.store.db, id).signals.qValue.toFixed(4)),
  };
}

test('tests that begin to pass raise the recalled learnings a little and nothing else; switched off, nothing is judged', () => {
  const { store, used, unused, utility } = setUp();
  recalled(store, [used]);
  recalled(store, [unused], 'another session');
  happens(store, 'fixed');
  expect(judgeBySessions(store, OFF)).toEqual([]);
  expect(utility(used)).toBe(0.5);
  expect(judgeBySessions(store, on)).toEqual([{ source: 'tests-fixed', session: 's1', learnings: [used] }]);
  expect([utility(used), utility(unused)]).toEqual([0.55, 0.5]);
  expect(listReviews(store.db, { limit: 9 })).toMatchObject([
    {
      learningId: used,
      source: 'tests-fixed',
      result: 'pass',
      alpha: 0.1,
      session: 's1',
      reason: 'vitest failed before and passes now',
      traceId: null,
    },
  ]);
});

test('tests that break lower them, with a reason; going in circles judges nothing', () => {
  const { store, used, utility } = setUp();
  recalled(store, [used]);
  happens(store, 'loop');
  expect(judgeBySessions(store, on)).toEqual([]);
  happens(store, 'broke');
  judgeBySessions(store, on);
  expect(utility(used)).toBe(0.45);
  expect(reviewsOf(store.db, used)[0]?.reason).toBe('tests broke: vitest: totals are rounded');
});

test('a saved correction lowers the learnings recalled before it, not those recalled after it', async () => {
  const { store, drain, say, used, unused, utility } = setUp();
  recalled(store, [used]);
  say("no, don't round the totals, we always keep cents as integers", { session: 's1' });
  expect(judgeBySessions(store, on)).toEqual([]); // it is not written yet
  await drain.run();
  store.tick(MINUTE);
  recalled(store, [unused]);
  judgeBySessions(store, on);
  expect([utility(used), utility(unused)]).toEqual([0.45, 0.5]);
  expect(reviewsOf(store.db, used)[0]).toMatchObject({
    source: 'correction',
    result: 'fail',
    reason: expect.stringContaining('corrected: no, don') as string,
  });
});

test('the same kind of outcome judges a learning once per session, however often it occurs', () => {
  const { store, used, utility } = setUp();
  recalled(store, [used]);
  happens(store, 'fixed');
  happens(store, 'fixed');
  judgeBySessions(store, on);
  expect(judgeBySessions(store, on)).toEqual([]);
  expect(utility(used)).toBe(0.55);
  happens(store, 'broke');
  judgeBySessions(store, on);
  expect(utility(used)).toBe(0.495);
  recalled(store, [used], 's2');
  happens(store, 'fixed', 's2');
  judgeBySessions(store, on);
  expect(reviewsOf(store.db, used)).toHaveLength(3);
});

test('learnings recalled too long ago or by an unnamed session are not judged; the weight is a setting', () => {
  const { store, used, utility } = setUp();
  recalled(store, [used]);
  recalled(store, [used], '');
  store.tick(7 * 60 * MINUTE);
  happens(store, 'fixed');
  happens(store, 'fixed', '');
  expect(judgeBySessions(store, on)).toEqual([]);
  judgeBySessions(
    store,
    withKnobs({ REFLECT_SESSION_OUTCOME_HOURS: 24, REFLECT_SESSION_OUTCOME_ALPHA: 0.5 }),
  );
  expect(utility(used)).toBe(0.75);
});
