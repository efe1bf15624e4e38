import { expect, test } from 'vitest';
import { judgeNote, LEARNING_BAR } from './stands-alone.ts';

const clear = { signal: 'signal.correction', score: 0.8, speculative: false };
const probability = (title: string, moment = clear) => judgeNote({ title }, moment).probability;

test.each([
  'Always use pnpm in this repository, never npm',
  "Don't use npm in this repository, use pnpm",
  'Never edit the generated files in src/gen; change schema.graphql and regenerate them instead',
  'Schema changes go into a new migration; the initial FullSchema migration must never be edited',
  'Which queue should we use? → SQLite',
])('a rule that names its subject is a learning: %s', (title) => {
  const sense = 0.5; // the embedder gives these 0.5 to 1.2
  expect(judgeNote({ title, sense }, clear).probability).toBeGreaterThanOrEqual(LEARNING_BAR.default);
});

test.each([
  'Show me the P2 items again',
  'Want me to also set `gc.auto 0` on your repo now?',
  'Where should the warning message appear?',
  'Remove it (main)',
  'Let me check how `parseRange` is called',
  'All tests pass and linting is clean',
  'Ok, it works now',
  'This has happened twice now just fyi',
  'Fixed the issue and pushed the changes to the branch',
])('a question, a one-off request, chat and narration are candidates at most: %s', (title) => {
  expect(probability(title)).toBeLessThan(LEARNING_BAR.default);
});

test('the same title is worth more where it was clearly a lesson', () => {
  const title = 'The sandbox cannot refund, so the refund path is never tested';
  expect(probability(title)).toBeGreaterThan(probability(title, { ...clear, score: 0.15 }));
});

test('no sentence makes it nearly certain', () => {
  const best =
    'Never edit `schema.sql` by hand when a migration exists, because `migrate` ignores it; use `npm run migrate` instead of `psql`';
  const p = probability(best, { ...clear, score: 0.99 });
  expect(p).toBeGreaterThan(0.6);
  expect(p).toBeLessThan(0.85);
});

test('the reasons are those of the sum, for and against', () => {
  const { why, against } = judgeNote({ title: 'Never skip `pnpm test` in CI for now' }, clear);
  expect(why).toContain('is said for good');
  expect(against).toContain('is about this one time');
});

test('what a person taught the judge shifts it', () => {
  const title = 'Show me the P2 items again';
  const local = { bias: 0.5, cues: { task: 1 } };
  expect(judgeNote({ title }, clear, local).probability).toBeGreaterThan(probability(title));
});
