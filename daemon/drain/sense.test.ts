import { expect, test } from 'vitest';
import { fitSense } from './bench/sense-fit.ts';
import { along, SENSE } from './sense.ts';
import { judgeNote } from './stands-alone.ts';

const moment = { signal: 'signal.correction', score: 0.6, speculative: false };

test('a title that reads like other lessons is judged better, and one without an embedder by its words alone', () => {
  const title = 'The sandbox cannot refund, so the refund path is never tested';
  const by = (sense?: number) => judgeNote({ title, sense }, moment).probability;
  expect(by(1)).toBeGreaterThan(by());
  expect(by(-1)).toBeLessThan(by());
  expect(by(0)).toBe(by());
});

test('a direction is found along which good titles lie, around a middle that says nothing', () => {
  const examples = Array.from({ length: 40 }, (_, index) => ({
    vector: [index % 2 ? 0.9 : 0.1, 0.5, (index % 7) / 7],
    odds: 0,
    label: index % 2 === 1,
  }));
  const sense = fitSense(examples, 'an-embedder');
  expect(along(sense, [0.9, 0.5, 0.4])).toBeGreaterThan(0.5);
  expect(along(sense, [0.1, 0.5, 0.4])).toBeLessThan(-0.5);
  expect(Math.abs(along(sense, [0.5, 0.5, 0.4]))).toBeLessThan(0.2);
});

test('the shipped direction belongs to the default embedder', () => {
  expect(SENSE.model).toBe('bge-small-en-v1.5');
  expect(SENSE.direction).toHaveLength(384);
});
