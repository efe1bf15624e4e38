import { expect, test } from 'vitest';
import { lastDays } from './last-days.ts';

test('every day has its bar, also those on which nothing was spent', () => {
  const days = [{ day: '2026-03-09', runs: 1, notes: 1, tokensIn: 900, tokensOut: 100, costUsd: 0.02 }];
  const bars = lastDays(days, 3, Date.parse('2026-03-10T12:00:00Z'));
  expect(bars.map(({ value }) => value)).toEqual([0, 1_000, 0]);
  expect(bars[1]?.name).toMatch(/2026-03-09.*1,000.*0\.02/);
});
