import { expect, test } from 'vitest';
import { calibrated, cosine } from './similarity.ts';

const row = { similarity: { unrelated: 0.4, same: 0.9 } };

test('the calibrated similarity is 0 for unrelated texts, 1 for the same, and never leaves that range', () => {
  expect([0.4, 0.65, 0.9].map((raw) => calibrated(row, raw))).toEqual([0, expect.closeTo(0.5), 1]);
  expect(calibrated(row, -1)).toBe(0);
  expect(calibrated(row, 1)).toBe(1);
});

test('vectors of different models are refused rather than compared', () => {
  expect(cosine(new Float32Array([0.6, 0.8]), new Float32Array([1, 0]))).toBeCloseTo(0.6);
  expect(() => cosine(new Float32Array(2), new Float32Array(3))).toThrow(RangeError);
});
