import { latest, monthOfYear, period, single, weekOf } from './calendar.ts';
import {
  agoConfidence,
  away,
  dayMinutesAgo,
  lastWeekend,
  rolling,
  thisWeekend,
  VAGUE,
  vaguelyAgo,
  weekdayBefore,
} from './spans.ts';
import type { Found, Rule } from './rule.ts';
import { unitIn, words } from './rule.ts';
import {
  ENGLISH_MONTH,
  ENGLISH_UNITS,
  ENGLISH_WEEKDAY,
  monthNamed,
  NUMBER,
  numberNamed,
  SHORT_UNITS,
  WEEKDAY,
  weekdayNamed,
} from './words.ts';

type Period = Parameters<typeof period>[0];

const named = (groups: Found, name: string): string => groups[name] ?? '';

const HOURS_OR_MINUTES = `(?<number>${NUMBER}) (?:(?<hours>hours?|hrs?)|minutes?|mins?)`;
const minutesIn = (found: Found): number =>
  numberNamed(named(found, 'number')) * (found.hours === undefined ? 1 : 60);

/** English phrases that count from today. The first rule that finds something wins. */
export const PHRASES: readonly Rule[] = [
  {
    name: 'day before yesterday',
    doc: '"The day before yesterday", "the day after tomorrow": two days away.',
    pattern: words('(?:the )?day (?:(?<past>before yesterday)|after tomorrow)'),
    confidence: 0.9,
    resolve: (found, { today }) => single(today + (found.past === undefined ? 2 : -2)),
  },
  {
    name: 'yesterday',
    doc: '"Yesterday": the day before today.',
    pattern: words('yesterday'),
    confidence: 0.9,
    resolve: (_, { today }) => single(today - 1),
  },
  {
    name: 'today',
    doc: '"Today": the day of the question.',
    pattern: words('today'),
    confidence: 0.9,
    resolve: (_, { today }) => single(today),
  },
  {
    name: 'a few ago',
    doc: '"A couple of weeks ago", "few days ago": one to three, two to five.',
    pattern: words(`(?:a )?(?:(?<couple>couple)|few|several)(?: of)? ${ENGLISH_UNITS} (?:ago|back)`),
    confidence: 0.6,
    resolve: (found, { today }) =>
      vaguelyAgo(today, found.couple === undefined ? VAGUE.few : VAGUE.couple, unitIn(found)),
  },
  {
    name: 'ago',
    doc: '"Three weeks ago", "a year ago", "1mon ago": the one day so far back.',
    pattern: words(
      `(?:(?<number>${NUMBER}) ${ENGLISH_UNITS} (?:ago|back)|(?<number>\\d{1,4})${SHORT_UNITS} ago)`,
    ),
    confidence: agoConfidence,
    resolve: (found, { today }) => away(today, -numberNamed(named(found, 'number')), unitIn(found)),
  },
  {
    name: 'hours ago',
    doc: '"Three hours ago", "20 minutes ago", "2h ago": the day it was then.',
    pattern: words(`(?:${HOURS_OR_MINUTES}|(?<number>\\d{1,4})(?:(?<hours>hr?s?)|m|mins?)) ago`),
    confidence: 0.8,
    resolve: (found, moment) => dayMinutesAgo(moment, minutesIn(found)),
  },
  {
    name: 'last N hours',
    doc: '"The last 24 hours", "past 36h": from the day it was then, up to today.',
    pattern: words(`(?:last|past|previous) (?:${HOURS_OR_MINUTES}|(?<number>\\d{1,4})(?<hours>hr?s?))`),
    confidence: 0.8,
    resolve: (found, moment) => ({
      first: dayMinutesAgo(moment, minutesIn(found)).first,
      last: moment.today,
    }),
  },
  {
    name: 'last N',
    doc: '"The last 7 days", "past two weeks", "past month": so far back, up to today.',
    pattern: words(
      `(?:(?:last|past|previous) (?<number>${NUMBER}) ${ENGLISH_UNITS}|past (?<one>day|week|month|year))`,
    ),
    confidence: 0.8,
    resolve(found, { today }) {
      if (found.one !== undefined) return rolling(today, 1, found.one as 'day'); // the pattern names the four units only
      return rolling(today, numberNamed(named(found, 'number')), unitIn(found));
    },
  },
  {
    name: 'last few',
    doc: '"The last few days", "past couple of weeks": as many as they may mean, up to today.',
    pattern: words(`(?:last|past|previous) (?:(?<couple>couple)(?: of)?|few|several) ${ENGLISH_UNITS}`),
    confidence: 0.6,
    resolve: (found, { today }) =>
      rolling(today, (found.couple === undefined ? VAGUE.few : VAGUE.couple)[1], unitIn(found)),
  },
  {
    name: 'before last',
    doc: '"The week before last": the one before the last.',
    pattern: words('(?:the )?(?<unit>week|month|quarter|year) before last'),
    confidence: 0.9,
    resolve: (found, { today }) => period(named(found, 'unit') as Period, today, -2), // the pattern names periods only
  },
  {
    name: 'last or this weekend',
    doc: '"Last weekend", "over the weekend": the newest one; "this weekend": the one that ends this week.',
    pattern: words('(?:(?:last|past|previous|over the|during the) weekend|(?<coming>this) weekend)'),
    confidence: 0.9,
    resolve: (found, { today }) => (found.coming === undefined ? lastWeekend(today) : thisWeekend(today)),
  },
  {
    name: 'last or this period',
    doc: '"Last week", "this month", "previous quarter": the whole calendar period; weeks start on Monday.',
    pattern: words('(?:(?<current>this|current)|last|previous) (?<unit>week|month|quarter|year)'),
    confidence: 0.9,
    resolve: (found, { today }) =>
      period(named(found, 'unit') as Period, today, found.current === undefined ? -1 : 0), // as above
  },
  {
    name: 'last or this weekday',
    doc: '"Last Friday": the newest before today; "this Friday": the one of this week.',
    pattern: words(`(?:(?<current>this)|last|past|previous) (?<weekday>${WEEKDAY})`),
    confidence: 0.9,
    resolve(found, { today }) {
      const weekday = weekdayNamed(named(found, 'weekday'));
      return found.current === undefined
        ? weekdayBefore(today, weekday)
        : single(weekOf(today).first + weekday);
    },
  },
  {
    name: 'last or this month by name',
    doc: '"Last March": the newest one that is over; "this June": the one of this year, but not "this may fail".',
    pattern: words(`(?:(?<current>this)(?! (?:may|march))|last) (?<month>${ENGLISH_MONTH})(?!\\x20{0,3}\\d)`),
    confidence: 0.8,
    resolve(found, { today }) {
      const month = monthNamed(named(found, 'month'));
      const before =
        found.current === undefined
          ? (period('month', today, 0)?.first ?? today) - 1
          : (period('year', today, 0)?.last ?? today);
      return latest(before, (year) => monthOfYear(year, month));
    },
  },
];

/** English phrases so loose that anything more certain in the question goes first. */
export const LOOSE_PHRASES: readonly Rule[] = [
  {
    name: 'weekday',
    doc: '"On Monday", "the Tuesday incident": the newest before today.',
    pattern: words(
      `(?<!(?:next|every|each|any|a|coming|black|good)\\x20{1,3})(?<weekday>${ENGLISH_WEEKDAY})`,
    ),
    newest: true,
    confidence: 0.5,
    resolve: (found, { today }) => weekdayBefore(today, weekdayNamed(named(found, 'weekday'))),
  },
  {
    name: 'tomorrow',
    doc: '"Tomorrow": the day after today.',
    pattern: words('tomorrow'),
    confidence: 0.9,
    resolve: (_, { today }) => single(today + 1),
  },
  {
    name: 'ahead',
    doc: '"In 3 days", "two weeks from now", "two days later": the one day so far ahead.',
    pattern: words(
      `(?:in (?<number>${NUMBER}) ${ENGLISH_UNITS}|(?<number>${NUMBER}) ${ENGLISH_UNITS} (?:later|from now|from today))`,
    ),
    confidence: 0.4,
    resolve: (found, { today }) => away(today, numberNamed(named(found, 'number')), unitIn(found)),
  },
  {
    name: 'sprint',
    doc: '"This sprint": the last 14 days; "last sprint": the 14 before.',
    pattern: words('(?:(?<current>this|current)|last|previous) sprint'),
    confidence: 0.5,
    resolve: (found, { today }) =>
      found.current === undefined
        ? { first: today - 28, last: today - 14 }
        : { first: today - 14, last: today },
  },
  {
    name: 'recently',
    doc: '"Recently", "lately": the last 14 days.',
    pattern: words('recently|lately|recientemente|recentemente|kürzlich|neulich|récemment|недавно'),
    confidence: 0.4,
    resolve: (_, { today }) => rolling(today, 14, 'day'),
  },
];

/**
 * Words that seldom speak of time ("may" is mostly a verb, "midnight" mostly a cron job). The golden data reads them as
 * days, so we do, with a confidence below that of any real phrase: who searches may ignore them.
 */
export const WEAK_PHRASES: readonly Rule[] = [
  {
    name: 'clock',
    doc: '"At 3pm", "at 15:30", "midnight": the day when the clock last showed it.',
    pattern: words(
      '(?:at (?<hour>\\d{1,2})(?::(?<minute>[0-5]\\d))?(?:\\x20?(?<half>am|pm|a\\.m\\.|p\\.m\\.))|at (?<hour24>[01]?\\d|2[0-3]):(?<minute24>[0-5]\\d)|(?:at )?(?:(?<noon>noon|midday)|midnight))',
    ),
    confidence: 0.2,
    resolve(found, { today, minuteOfDay }) {
      const hour = Number(found.hour ?? found.hour24 ?? 0);
      if (found.half !== undefined && (hour < 1 || hour > 12)) return undefined;
      const afternoon = found.half?.startsWith('p') ?? false;
      const hours =
        found.noon === undefined
          ? found.half === undefined
            ? hour
            : (hour % 12) + (afternoon ? 12 : 0)
          : 12;
      const minutes = hours * 60 + Number(found.minute ?? found.minute24 ?? 0);
      return single(minutes <= minuteOfDay ? today : today - 1);
    },
  },
  {
    name: 'month alone',
    doc: '"The May report": a day like today in the newest such month.',
    pattern: words(`(?<!next\\x20{1,3})(?<month>${ENGLISH_MONTH})(?!\\x20{0,3}\\d)`),
    confidence: 0.2,
    resolve(found, { today }) {
      const month = monthNamed(named(found, 'month'));
      const days = latest(today, (year) => monthOfYear(year, month));
      const dayOfMonth = today - (period('month', today, 0)?.first ?? today);
      return days && single(Math.min(days.first + dayOfMonth, days.last));
    },
  },
];
