import {
  civil,
  type Day,
  type Days,
  DAYS_PER,
  latest,
  type Moment,
  shift,
  single,
  type Unit,
  weekdayOf,
} from './calendar.ts';
import type { Found } from './rule.ts';
import { unitIn } from './rule.ts';

const MINUTES_PER_DAY = 1_440;

/** How sure "N units ago" is of its day: the larger the unit, the rounder the number. */
const AGO_CONFIDENCE: Record<Unit, number> = { day: 0.8, week: 0.7, month: 0.6, year: 0.7 };
export const agoConfidence = (found: Found): number => AGO_CONFIDENCE[unitIn(found)];

/** A couple is one to three, a few is two to five; a vague month has 30 days, a vague year 365. */
export const VAGUE = { couple: [1, 3], few: [2, 5] } as const;

/** "A few weeks ago": from the most to the fewest it may mean. */
export function vaguelyAgo(today: Day, [fewest, most]: readonly [number, number], unit: Unit): Days {
  return { first: today - most * DAYS_PER[unit], last: today - fewest * DAYS_PER[unit] };
}

/** "The last three weeks": up to and including today. */
export const rolling = (today: Day, amount: number, unit: Unit): Days => ({
  first: today - amount * DAYS_PER[unit],
  last: today,
});

/** The one day so many units away. */
export function away(today: Day, amount: number, unit: Unit): Days | undefined {
  const day = shift(today, amount, unit);
  return day === undefined ? undefined : single(day);
}

/** The day it was so many minutes ago. */
export const dayMinutesAgo = ({ today, minuteOfDay }: Moment, minutes: number): Days =>
  single(today + Math.floor((minuteOfDay - minutes) / MINUTES_PER_DAY));

/** The newest such weekday before today: said on a Monday, "last Monday" is a week ago. */
export const weekdayBefore = (today: Day, weekday: number): Days =>
  single(today - (((weekdayOf(today) - weekday + 6) % 7) + 1));

/** The newest weekend that is over or in its Sunday. */
export function lastWeekend(today: Day): Days {
  const sunday = today - ((weekdayOf(today) + 1) % 7);
  return { first: sunday - 1, last: sunday };
}

/** The weekend that ends this week. */
export function thisWeekend(today: Day): Days {
  const saturday = today - weekdayOf(today) + 5;
  return { first: saturday, last: saturday + 1 };
}

/** For languages that write the year first: resolves in the year that was named, else in the newest that has begun. */
export const yearResolver =
  (offsets: Readonly<Record<string, number>>) =>
  ({ year, yearWord }: Found, today: Day, resolve: (year: number) => Days | undefined): Days | undefined => {
    if (year !== undefined) return resolve(Number(year));
    if (yearWord !== undefined) return resolve(civil(today).year + (offsets[yearWord] ?? 0));
    return latest(today, resolve);
  };
