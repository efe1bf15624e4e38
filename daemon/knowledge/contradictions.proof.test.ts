import { describe, expect, test } from 'vitest';
import type { NoteInput } from '#contract/entities.ts';
import { NO_WEIGHTS } from '../inference/testing.ts';
import { drainWorld, withKnobs } from '../drain/testing.ts';
import { silentLog } from '../platform/log.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { openQuestions } from '../store/learnings/questions.ts';
import { unexamineAll } from './testing.ts';
import { needs } from '../testing/needs.ts';
import { given, tempStore, type TempStore } from '../testing/temp-home.ts';
import { worldFilledBy } from '../testing/world.ts';
import {
  conceptsOf,
  contradictions,
  contradicts,
  isRestatement,
  seemsOpposite,
  settleByRule,
} from './contradictions.ts';
import { disagreement } from './attributes.ts';
import { undo } from './revise.ts';
import { Upkeep } from './upkeep.ts';

const DO = { title: 'Commit generated clients to the repository' };
const DONT = { title: "Don't commit generated clients to the repository" };

/** The result of a sweep over notes added in this order, without a model. */
async function swept(
  notes: NoteInput[],
  { knobs = {}, store = tempStore() }: { knobs?: Record<string, boolean>; store?: TempStore } = {},
) {
  const ids = notes.map((note) => {
    store.tick(1_000);
    return given(store, note).learning.id;
  });
  const upkeep = new Upkeep({
    store,
    inference: { available: () => null, rerank: async () => [] },
    resolve: withKnobs(knobs),
    log: silentLog,
  });
  const result = await upkeep.sweep();
  return { store, ids, upkeep, result, live: ids.map((id) => getLearning(store.db, id).isLatest) };
}

describe('SG1 cross-turn contradiction', () => {
  test('SG1: of two contradicting learnings the older is superseded by the later', async () => {
    const { store, ids, live } = await swept([DO, DONT]);
    expect(live).toEqual([false, true]);
    expect(getLearning(store.db, ids[0] ?? '')).toMatchObject({ status: 'superseded', supersededBy: ids[1] });
  });

  test('SG1: switched off, both stand (counterfactual)', async () => {
    expect((await swept([DO, DONT], { knobs: { [contradictions.switch.name]: false } })).live).toEqual([
      true,
      true,
    ]);
  });

  test('SG1: a restatement supersedes nothing', async () => {
    expect(
      (await swept([DONT, { title: 'Never commit the generated clients to the repository' }])).live,
    ).toEqual([true, true]);
    expect(
      (await swept([DO, { title: 'Always commit generated clients to the repository', fix: 'git add' }]))
        .live,
    ).toEqual([true, true]);
  });

  test('SG1: elsewhere, in another project or on a branch, the opposite may be true', async () => {
    expect(
      (
        await swept([
          { ...DO, project: 'one' },
          { ...DONT, project: 'two' },
        ])
      ).live,
    ).toEqual([true, true]);
    expect(
      (
        await swept([
          { ...DO, project: 'one' },
          { ...DONT, project: 'one', branch: 'feat/x' },
        ])
      ).live,
    ).toEqual([true, true]);
  });

  test('SG1: the one said last stands, even if it was read first', async () => {
    const world = drainWorld();
    world.say("no, don't commit the generated clients", {
      at: Date.UTC(2026, 5, 10),
      transcript: 'newer.jsonl',
    });
    await world.drain.run();
    world.say('commit the generated clients please', { at: Date.UTC(2026, 4, 1), transcript: 'older.jsonl' });
    await world.drain.run();
    const live = world
      .moments()
      .map(({ learningId }) => getLearning(world.store.db, learningId ?? ''))
      .filter(({ isLatest }) => isLatest)
      .map(({ title }) => title);
    expect(live).toEqual([expect.stringMatching(/don't commit/i)]);
  });

  test('SG1: among many notes it finds the same, and titles with an eleventh concept too', async () => {
    const others = Array.from({ length: 220 }, (_, number) => ({
      title: `Service ${number} listens on its own port`,
    }));
    const long = 'alpha beta gamma delta epsilon zeta eta theta iota kappa';
    const { live, result } = await swept([
      DO,
      { title: `${long} lambda` },
      ...others,
      DONT,
      { title: `never ${long}` },
    ]);
    expect(result.superseded).toBe(2);
    expect([live.slice(0, 2), new Set(live.slice(2))]).toEqual([[false, false], new Set([true])]);
  });

  test('SG1: an undone supersession stays undone when everything is compared again, as after an import', async () => {
    const { store, ids, upkeep } = await swept([DO, DONT]);
    undo(store, undefined, 'person');
    unexamineAll(store);
    expect(await upkeep.sweep()).toMatchObject({ superseded: 0 });
    expect(ids.map((id) => getLearning(store.db, id).isLatest)).toEqual([true, true]);
  });

  test('SG1: a supersession can be undone and stays undone, and a second sweep changes nothing', async () => {
    const { store, ids, upkeep } = await swept([DO, DONT]);
    expect(await upkeep.sweep()).toMatchObject({ superseded: 0 });
    undo(store, undefined, 'person');
    await upkeep.sweep();
    expect(ids.map((id) => getLearning(store.db, id).status)).toEqual(['active', 'active']);
  });

  test('SG1: titles must share more than nine tenths of their concepts, and exactly one must be negated', () => {
    expect(contradicts('Use npm', 'Never use npm')).toBe(true);
    expect(contradicts('Use npm', 'Never use pnpm')).toBe(false);
    expect(contradicts("Don't use npm", 'Never use npm')).toBe(false);
    const ten = 'alpha beta gamma delta epsilon zeta eta theta iota';
    expect(contradicts(`not ${ten} kappa`, ten)).toBe(false); // nine of ten: exactly 0.9
    expect(contradicts(`not ${ten} kappa lambda`, `${ten} kappa`)).toBe(true);
    expect(conceptsOf('You cannot use the cache')).toEqual(new Set(['use', 'cache']));
  });

  test('SG1: a long title that lacks one of eleven concepts is still found', () => {
    const store = tempStore();
    const words = 'alpha beta gamma delta epsilon zeta eta theta iota kappa';
    const older = given(store, { title: `${words} lambda` }).learning;
    store.tick(1);
    expect(settleByRule(store, given(store, { title: `never ${words}` }).learning, 'test')).toBe(1);
    expect(getLearning(store.db, older.id).isLatest).toBe(false);
  });

  test('SG1: word order and negation make another statement, stop words and punctuation do not', () => {
    expect(isRestatement('Use vitest, not jest!', 'use vitest not the jest')).toBe(true);
    expect(isRestatement('Use vitest, not jest', 'Use jest, not vitest')).toBe(false);
    expect(isRestatement('Use vitest', 'Never use vitest')).toBe(false);
  });
});

describe('SG1 by meaning', () => {
  needs(NO_WEIGHTS);
  const AVOID = { title: 'Avoid default exports in TypeScript modules', scope: 'global' as const };
  const PREFER = { title: 'Prefer default exports for TypeScript modules', scope: 'global' as const };

  async function asked(knobs: Record<string, boolean | number> = {}) {
    const { store, inference } = await worldFilledBy((store) => [
      given(store, AVOID).learning,
      given(store, PREFER).learning,
    ]);
    await new Upkeep({ store, inference, resolve: withKnobs(knobs), log: silentLog }).sweep();
    return store;
  }

  test('SG1: notes that seem to say the opposite are a question for a person, and nothing is superseded on a guess', async () => {
    const store = await asked();
    const [question] = openQuestions(store.db);
    expect(question).toMatchObject({
      kind: 'contradiction',
      existing: { title: AVOID.title, isLatest: true, status: 'active' },
      incoming: { title: PREFER.title, isLatest: true, status: 'active' },
    });
  });

  test('SG1: with the knob at 1 nobody is asked (counterfactual)', async () => {
    expect(openQuestions((await asked({ [contradictions.knobs.similarity.name]: 1 })).db)).toEqual([]);
  });

  test.each([
    ['Indent with tabs', 'Use two spaces for indentation'],
    ['API auth uses JWT', 'API auth was migrated to server-side sessions'],
    ['Authenticate requests with JWT', 'Authenticate requests with server sessions'],
    ['Use JWT for auth', 'Use sessions for auth'],
    ['Install packages with pnpm', 'Use npm to install packages'],
    ['Prefer Postgres for the job queue', 'Use Redis for the job queue'],
  ])(
    'SG1: “%s” and “%s” are two values of one thing: a person is asked, and nothing is superseded',
    async (one, other) => {
      const { store, inference } = await worldFilledBy((filled) =>
        [one, other].map((title) => given(filled, { title, scope: 'global' }).learning),
      );
      await new Upkeep({ store, inference, resolve: withKnobs(), log: silentLog }).sweep();
      expect(openQuestions(store.db)).toMatchObject([
        {
          kind: 'contradiction',
          existing: { title: one, isLatest: true },
          incoming: { title: other, isLatest: true },
        },
      ]);
    },
  );

  test.each([
    ['Use tabs in Makefiles', 'Use four spaces in Python'],
    ['Use pnpm, never npm', 'Install with pnpm instead of npm'],
    ['Run pip in the venv', 'Use pnpm for the website'],
    ['Use Redis for the job queue', 'Use Redis for sessions'],
    ['Sign the JWT with RS256', 'Keep sessions of tmux alive'],
    ['Squash commits before merging', 'Rebase and squash feature branches'],
  ])('SG1: “%s” and “%s” can both hold', (one, other) => {
    expect([disagreement(one, other), disagreement(other, one)]).toEqual([null, null]);
  });

  test.each([
    ['Use tabs', 'Avoid tabs'],
    ['Run lint before tests', 'Run lint after tests'],
    ['Deploy with the flag', 'Deploy without the flag'],
    ['Use npm', "Don't use npm"],
  ])('“%s” and “%s” seem to contradict each other', (one, other) => {
    expect([seemsOpposite(one, other), seemsOpposite(other, one), seemsOpposite(one, one)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
