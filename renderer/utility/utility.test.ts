import { expect, test } from 'vitest';
import type { Call } from '#contract/methods.ts';
import type { Review } from '#contract/outcomes.ts';
import { curveOf, judgedBy, UtilityState } from './utility.svelte.ts';
import { Queries } from '../query/queries.svelte.ts';

const review = (id: number, learningId: string, qBefore: number, qAfter: number): Review => ({
  id,
  at: id,
  learningId,
  title: learningId,
  source: 'trace',
  result: qAfter > qBefore ? 'pass' : 'fail',
  alpha: 0.3,
  qBefore,
  qAfter,
  traceId: null,
  session: '',
  reason: '',
  undoneAt: null,
});
const REVIEWS = [review(3, 'tabs', 0.65, 0.5), review(2, 'pnpm', 0.5, 0.35), review(1, 'tabs', 0.5, 0.65)];
const experience = { id: 'migrate-db', task: 'migrate', uses: 0, deprecated: false };

function world() {
  const asked: [string, unknown][] = [];
  const answers: Record<string, unknown> = {
    'reviews.list': REVIEWS,
    'experience.list': [experience],
    'loops.list': [{ id: 'ralph-a', learningId: 'tabs' }],
    'reflections.analyze': { loops: [] },
    'memories.history': [],
    'loops.get': {},
    'experience.feedback': { ...experience, uses: 1 },
    'experience.deprecate': { ...experience, deprecated: true },
  };
  const call = async (method: string, input: unknown) => {
    asked.push([method, input]);
    return answers[method];
  };
  return { screen: new UtilityState(new Queries(call as unknown as Call)), asked };
}

test('reviews are gathered by learning, what moved last first', () => {
  expect(judgedBy(REVIEWS).map(({ id, q, wins, losses }) => [id, q, wins, losses])).toEqual([
    ['tabs', 0.5, 1, 1],
    ['pnpm', 0.35, 0, 1],
  ]);
});

test('the curve begins where utility stood before anybody judged', () => {
  expect(curveOf(judgedBy(REVIEWS)[0]?.reviews ?? [])).toEqual([0.5, 0.65, 0.5]);
  expect(curveOf([])).toEqual([]);
});

test('each tab keeps its own selection, and reads what is selected', async () => {
  const { screen, asked } = world();
  await screen.load();
  expect(screen.selectedLearning?.id).toBe('tabs');
  screen.move(1);
  expect(asked.at(-1)).toEqual(['memories.history', { id: 'pnpm' }]);
  screen.turn(-1);
  expect(screen.tab).toBe('loops');
  expect(asked.at(-1)).toEqual(['loops.get', { id: 'ralph-a' }]);
  expect(screen.learningId).toBe('tabs');
  screen.turn(1);
  expect(screen.selectedLearning?.id).toBe('pnpm');
});

test('feedback shows at once, and what is no longer true is not marked twice', async () => {
  const { screen, asked } = world();
  await screen.load();
  screen.show('experiences');
  await screen.feedback(true);
  expect(screen.selectedExperience?.uses).toBe(1);
  await screen.deprecate();
  await expect(screen.deprecate()).resolves.toBeUndefined();
  expect(asked.filter(([method]) => method === 'experience.deprecate')).toHaveLength(1);
});
