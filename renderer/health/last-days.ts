import type { WriterDay } from '#contract/writers.ts';
import { healthWords } from './words.ts';

const DAY_MS = 86_400_000;

/** One bar for each of the last days, oldest first; a day on which nothing was spent is there too. */
export function lastDays(
  days: readonly WriterDay[],
  count: number,
  now: number,
): { name: string; value: number }[] {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    const spent = days.find((one) => one.day === day);
    const value = (spent?.tokensIn ?? 0) + (spent?.tokensOut ?? 0);
    return { name: healthWords.spentOn(day, value, spent?.costUsd ?? null), value };
  });
}
