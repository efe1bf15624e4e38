import { expect, test } from 'vitest';
import { world } from '../testing/world.ts';
import { calibrate } from './calibrate.ts';

const notes = Array.from({ length: 12 }, (_, index) => ({
  title: `Service ${index} retries with backoff when the queue is full`,
  problem: `Service ${index} lost messages while the queue was full`,
  scope: 'global' as const,
}));

test('proposes floors that nine of ten right answers clear, and shows what they would drop', async () => {
  const { parts } = await world(notes);
  const { sampled, proposed, effect, toml } = await calibrate(parts);
  expect(sampled).toBe(12);
  expect(proposed.RECALL_ARM_BM25_MIN_SCORE).toBeGreaterThan(0);
  expect(proposed.RECALL_ARM_BM25_MIN_SCORE).toBeLessThanOrEqual(1);
  expect(effect.candidatesAfter).toBeLessThanOrEqual(effect.candidatesBefore);
  expect(effect.answersAfter).toBeGreaterThanOrEqual(effect.answersBefore * 0.9);
  expect(toml).toContain(`RECALL_ARM_BM25_MIN_SCORE = ${proposed.RECALL_ARM_BM25_MIN_SCORE}`);
});

test('an empty knowledge base has nothing to propose', async () => {
  const { parts } = await world([]);
  expect(await calibrate(parts)).toMatchObject({ sampled: 0, proposed: {}, toml: '' });
});
