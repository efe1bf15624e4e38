import { expect, test } from 'vitest';
import { backOffMs } from './back-off.ts';

test('the first retry is immediate, later ones wait twice as long each time, never over half a minute', () => {
  expect([1, 2, 3, 4, 5].map(backOffMs)).toEqual([0, 500, 1_000, 2_000, 4_000]);
  expect(backOffMs(50)).toBe(30_000);
});
