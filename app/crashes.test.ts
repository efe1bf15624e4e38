import { expect, test } from 'vitest';
import { Crashes } from './crashes.ts';

test('three crashes a minute are tolerated, and a person may try again', () => {
  const crashes = new Crashes();
  expect([0, 1_000, 2_000, 3_000].map((now) => crashes.tolerates(now))).toEqual([true, true, true, false]);
  crashes.forget();
  expect(crashes.tolerates(4_000)).toBe(true);
});

test('crashes far apart are always tolerated', () => {
  const crashes = new Crashes();
  for (let minute = 0; minute < 10; minute++) expect(crashes.tolerates(minute * 61_000)).toBe(true);
});
