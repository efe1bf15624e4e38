import { expect, test } from 'vitest';
import { dropCandidates, keepCandidates } from '../knowledge/candidates.ts';
import { undo } from '../knowledge/revise.ts';
import { forgetDecisions } from '../store/learnings/decisions.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { showLocalJudge } from './local-judge.ts';
import { drainWorld } from './testing.ts';

const PERSON = { actor: 'person', reason: '' };

/** Drains these quotes below a bar that none reaches; the ids are those of their candidates. */
async function candidatesFrom(quotes: string[]) {
  const { store, drain, say, moments } = drainWorld({ knobs: { REFLECT_LEARNING_BAR: 1 } });
  const hear = async (quote: string) => {
    say(quote, { score: 0.5 });
    await drain.run();
    return getLearning(store.db, moments().at(-1)?.learningId ?? '');
  };
  const ids: string[] = [];
  for (const quote of quotes) ids.push((await hear(quote)).id);
  return { store, hear, ids };
}

const ONE_OFF_REQUESTS = ['run', 'push', 'open', 'merge'].map(
  (verb) => `always ${verb} the release branch before a deployment starts`,
);

test('drops teach the judge: a note like them is believed less, and undoing the drops takes that back', async () => {
  const { store, hear, ids } = await candidatesFrom(ONE_OFF_REQUESTS);
  expect(showLocalJudge(store.db)).toEqual({ kept: 0, dropped: 0, bias: 0, cues: [] });
  const before = await hear('always check the release branch before a deployment starts');
  const { changeId } = dropCandidates(store, ids, PERSON);
  const taught = showLocalJudge(store.db);
  expect(taught).toMatchObject({ kept: 0, dropped: ids.length });
  expect(taught.bias).toBeLessThan(0);
  const after = await hear('always check the staging branch before a deployment starts');
  expect(after.confidence).toBeLessThan(before.confidence);
  undo(store, changeId ?? 0, 'person');
  expect(showLocalJudge(store.db)).toMatchObject({ dropped: 0, bias: 0, cues: [] });
});

test('keeps teach it too, and a reset restores its defaults', async () => {
  const { store, ids } = await candidatesFrom(ONE_OFF_REQUESTS);
  keepCandidates(store, ids, {}, PERSON);
  expect(showLocalJudge(store.db)).toMatchObject({ kept: ids.length, dropped: 0 });
  expect(showLocalJudge(store.db).bias).toBeGreaterThan(0);
  forgetDecisions(store.db);
  expect(showLocalJudge(store.db)).toEqual({ kept: 0, dropped: 0, bias: 0, cues: [] });
});

test('however often the same is dropped, the judge only tilts', async () => {
  const { store, ids } = await candidatesFrom(
    Array.from({ length: 60 }, (_, index) => `never edit the generated file number ${index} by hand`),
  );
  dropCandidates(store, ids, PERSON);
  const { bias, cues } = showLocalJudge(store.db);
  expect(bias).toBeGreaterThanOrEqual(-1);
  for (const { shift } of cues) expect(Math.abs(shift)).toBeLessThanOrEqual(0.75);
});
