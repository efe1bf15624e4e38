import { describe, expect, test } from 'vitest';
import { historyOf } from '../store/learnings/history.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { undo } from '../knowledge/revise.ts';
import { branchReason } from './branch-bound.ts';
import { drainWorld } from './testing.ts';
import type { Writer } from './writer.ts';

const BRANCH = 'feat/checkout-v2';
const reasonFor = (rule: string, branch = BRANCH) => branchReason({ title: rule, rule: '' }, branch);

describe('a note is bound to its branch by words about that unfinished work', () => {
  test.each([
    ['On this branch an order may be placed and not yet paid', 'On this branch'],
    ['Skip the migration tests in this PR', 'in this PR'],
    ['This branch adds the agent to the logs', 'This branch adds'],
    ['On `feat/checkout-v2` the totals are strings', 'On feat/checkout-v2'],
    ['feat/checkout-v2 is based on feat/tax-engine', 'feat/checkout-v2 is'],
    ['The new checkout is still WIP, leave its totals alone', 'is still WIP'],
    ['The totals API isn’t merged yet, call the old one', "isn't merged yet"],
    ['Keep both clients until this is merged', 'until this is merged'],
    ['Delete the shim once the PR lands', 'once the PR lands'],
  ])('%s', (rule, words) => {
    expect(reasonFor(rule)).toBe(`it says “${words}”`);
  });

  test('a plain word counts as the name of a branch only when it is called one', () => {
    expect(reasonFor('In explain the limit is 20', 'explain')).toBeNull();
    expect(reasonFor('On the explain branch the limit is 20', 'explain')).toBe(
      'it says “On the explain branch”',
    );
  });
});

describe('a note that only handles branches is the project’s', () => {
  test.each([
    'Never use npm here, always pnpm',
    'Commit this PR',
    'Push to this branch only after the tests pass',
    'Commit and push on this branch when done',
    'Create a feature branch before you commit',
    'Never rewrite a branch that others pull',
    'AgentV WIP checkpoints are not sessions',
    'Run the linter before we merge',
    'After a merge run mise run lint, because auto-merged tests may call the old signature',
    'Use git push origin feat/checkout-v2',
    'For now limit the list to 20',
    'entire explain on a feature branch shows only its own checkpoints',
  ])('%s', (rule) => {
    expect(reasonFor(rule)).toBeNull();
  });

  test('names of branches that look like a pattern are taken literally', () => {
    expect(reasonFor('on fix/aab it works', 'fix/a+b')).toBeNull();
    expect(reasonFor('on fix/a+b it works', 'fix/a+b')).toBe('it says “on fix/a+b”');
  });
});

/** Writes every quote down as it is. */
const verbatim: Writer = {
  name: 'verbatim',
  write: (material) =>
    Promise.resolve({ title: material.quote, rule: material.quote, category: 'general', tags: ['checkout'] }),
};

async function learnedOn(said: Array<[text: string, branch: string | null]>) {
  const world = drainWorld({ writer: verbatim });
  for (const [text, branch] of said) world.say(text, { branch });
  await world.drain.run();
  const learnings = world.moments().map(({ learningId }) => getLearning(world.store.db, learningId ?? ''));
  return { ...world, learnings };
}

describe('what is learned on a branch', () => {
  test('is the project’s, and says so nowhere; the moment still knows the branch', async () => {
    const { learnings, moments } = await learnedOn([['Never mock the payment database here', BRANCH]]);
    expect(learnings[0]?.branch).toBeNull();
    expect(learnings[0]?.metadata).not.toHaveProperty('branchReason');
    expect(moments()[0]?.branch).toBe(BRANCH);
  });

  test('is the branch’s when it speaks of the branch, with the reason', async () => {
    const { learnings } = await learnedOn([['On this branch orders are authorised, not paid', BRANCH]]);
    expect(learnings[0]).toMatchObject({
      branch: BRANCH,
      metadata: { branchReason: 'it says “On this branch”' },
    });
  });

  test.each([
    ['in the same words', 'On this branch orders are authorised, not paid'],
    ['in nearly the same words', 'On this branch, orders are authorised not paid!'],
  ])('becomes the project’s when it comes up on another branch %s', async (_, again) => {
    const { store, learnings } = await learnedOn([
      ['On this branch orders are authorised, not paid', BRANCH],
      [again, 'feat/tax-engine'],
    ]);
    expect(learnings[1]?.id).toBe(learnings[0]?.id);
    const learning = getLearning(store.db, learnings[0]?.id ?? '');
    expect(learning).toMatchObject({ branch: null, signals: { proofCount: 2 } });
    expect(learning.metadata).not.toHaveProperty('branchReason');
    const move = historyOf(store.db, learning.id).find(({ kind }) => kind === 'move');
    expect(move).toMatchObject({ reason: 'it came up again on feat/tax-engine', at: store.now() });
  });

  test('stays the branch’s when it comes up on the same branch, or when a person undid the move', async () => {
    const words = 'On this branch orders are authorised, not paid';
    const { store, drain, say, learnings } = await learnedOn([
      [words, BRANCH],
      [words, BRANCH],
    ]);
    const id = learnings[0]?.id ?? '';
    expect(getLearning(store.db, id).branch).toBe(BRANCH);
    say(words, { branch: null });
    await drain.run();
    expect(getLearning(store.db, id).branch).toBeNull();
    undo(store, undefined, 'person');
    say(words, { branch: 'feat/tax-engine' });
    await drain.run();
    expect(getLearning(store.db, id)).toMatchObject({
      branch: BRANCH,
      metadata: { branchReason: 'it says “On this branch”' },
    });
  });
});
