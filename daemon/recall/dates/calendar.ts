import { DAY as DAY_MS } from '../../platform/time.ts';

const MINUTE_MS = 60_000;

/** A day of the calendar as its count since 1970-01-01, so that adding days is adding. */
export type Day = number;

/** A run of whole days, both ends included. */
export interface Days {
  first: Day;
  last: Day;
}

/** When the question is asked. */
export interface Moment {
  today: Day;
  minuteOfDay: number;
}

/** Where the days of a place begin and end. */
export interface Zone {
  momentOf(now: number): Moment;
  startOf(day: Day): number;
}

/** Nothing is older: where "before" and "until" begin. */
export const DISTANT_PAST: Day = 0;

export const DAYS_PER = { day: 1, week: 7, month: 30, year: 365 } as const;
export type Unit = keyof typeof DAYS_PER;

export const single = (day: Day): Days => ({ first: day, last: day });

/** The day of a date, or nothing when the calendar has no such date (31 June, 29 February of a common year, year 0). */
export function dayOf(year: number, month: number, dayOfMonth: number): Day | undefined {
  if (year < 1 || year > 9999) return undefined;
  const date = new Date(0).setUTCFullYear(year, month - 1, dayOfMonth);
  const day = date / DAY_MS;
  const back = civil(day);
  return back.year === year && back.month === month && back.dayOfMonth === dayOfMonth ? day : undefined;
}

export function civil(day: Day): { year: number; month: number; dayOfMonth: number } {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, dayOfMonth: date.getUTCDate() };
}

/** Monday is 0. */
export const weekdayOf = (day: Day): number => (((day + 3) % 7) + 7) % 7;

export function weekOf(day: Day): Days {
  const monday = day - weekdayOf(day);
  return { first: monday, last: monday + 6 };
}

/** Consecutive months, counted from January of year 0 so that a span may cross years. */
function monthsFrom(index: number, count: number): Days | undefined {
  const first = dayOf(Math.floor(index / 12), (index % 12) + 1, 1);
  const next = index + count;
  const last = dayOf(Math.floor((next - 1) / 12), ((next - 1) % 12) + 1, 1);
  return first === undefined || last === undefined ? undefined : { first, last: last + daysIn(last) - 1 };
}

/** How many days the month of this day has. */
function daysIn(day: Day): number {
  const { year, month } = civil(day);
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

const monthIndex = (day: Day): number => civil(day).year * 12 + civil(day).month - 1;

export const monthOfYear = (year: number, month: number): Days | undefined =>
  month >= 1 && month <= 12 ? monthsFrom(year * 12 + month - 1, 1) : undefined;
export const quarterOfYear = (year: number, quarter: number): Days | undefined =>
  monthsFrom(year * 12 + (quarter - 1) * 3, 3);
export const halfOfYear = (year: number, half: 1 | 2): Days | undefined =>
  monthsFrom(year * 12 + (half - 1) * 6, 6);
export const wholeYear = (year: number): Days | undefined => monthsFrom(year * 12, 12);

/** The calendar week, month, quarter or year that lies `offset` from the one around `day`. */
export function period(
  unit: 'week' | 'month' | 'quarter' | 'year',
  day: Day,
  offset: number,
): Days | undefined {
  if (unit === 'week') return weekOf(day + 7 * offset);
  if (unit === 'month') return monthsFrom(monthIndex(day) + offset, 1);
  if (unit === 'quarter') return monthsFrom(Math.floor(monthIndex(day) / 3) * 3 + 3 * offset, 3);
  return wholeYear(civil(day).year + offset);
}

/** The day so many units away; 31 March less a month is the last of February. */
export function shift(day: Day, amount: number, unit: Unit): Day | undefined {
  if (unit === 'day' || unit === 'week') return day + amount * DAYS_PER[unit];
  const month = monthsFrom(monthIndex(day) + amount * (unit === 'year' ? 12 : 1), 1);
  return month && Math.min(month.first + civil(day).dayOfMonth - 1, month.last);
}

/** The newest of what comes once a year that has begun by `today`. */
export function latest(today: Day, inYear: (year: number) => Days | undefined): Days | undefined {
  const { year } = civil(today);
  // Eight years back finds even a 29 February across a century without one.
  for (let candidate = year; candidate >= year - 8; candidate--) {
    const days = inYear(candidate);
    if (days && days.first <= today) return days;
  }
  return undefined;
}

const EARLIEST = dayOf(1, 1, 1) ?? 0;
const LATEST = dayOf(9999, 12, 31) ?? 0;

export const isSpan = ({ first, last }: Days): boolean =>
  first >= EARLIEST && last <= LATEST && first <= last;

const clock = (localMs: number): Moment => {
  const today = Math.floor(localMs / DAY_MS);
  return { today, minuteOfDay: (localMs - today * DAY_MS) / MINUTE_MS };
};

/** A zone that keeps one offset all year. */
export const fixedZone = (utcOffsetMinutes: number): Zone => ({
  momentOf: (now) => clock(now + utcOffsetMinutes * MINUTE_MS),
  startOf: (day) => day * DAY_MS - utcOffsetMinutes * MINUTE_MS,
});

/** The machine's own zone; unlike one offset, it knows that a summer day starts an hour earlier. */
export const machineZone: Zone = {
  momentOf: (now) => clock(now - new Date(now).getTimezoneOffset() * MINUTE_MS),
  startOf(day) {
    const { year, month, dayOfMonth } = civil(day);
    const date = new Date(2000, 0, 1);
    date.setFullYear(year, month - 1, dayOfMonth); // the constructor would read year 50 as 1950
    return date.setHours(0, 0, 0, 0);
  },
};
