import { dayOf, type Days, latest, monthOfYear, quarterOfYear, single, wholeYear } from './calendar.ts';
import type { Rule } from './rule.ts';
import { LETTER, words } from './rule.ts';
import { MONTH, monthNamed } from './words.ts';

/** Words after which a lone month, quarter or year is a time and not a verb, a name or a number. */
const PREPOSITION = `(?<=(?<!${LETTER})(?:in|during|since|before|after|until|till|from|around|throughout|early|mid|late|prior to|up to|en|im|seit|durante|pendant|depuis|desde|в|с)\\x20{1,3})`;
const MONTH_NAME = `(?<month>${MONTH})\\.?`;
const ORDINAL = '(?:st|nd|rd|th|er|º|°|\\.|-го)?';
const YEAR_WORD = '(?:\\x20{1,3}(?:года|г\\.))?';

function dateOf(year: string | undefined, month: number, dayOfMonth: string | undefined): Days | undefined {
  const day = dayOf(Number(year), month, Number(dayOfMonth));
  return day === undefined ? undefined : single(day);
}

/** A year of two digits belongs to this century. */
const fullYear = (year = ''): string => (year.length === 2 ? `20${year}` : year);

/** Dates of the calendar, the most exact first. */
export const DATES: readonly Rule[] = [
  {
    name: 'ISO date',
    doc: '"2026-06-10", "2026/06/10", with or without a time of day.',
    pattern: words(
      '(?<year>\\d{4})(?<separator>[\\-\\/])(?<number>\\d{1,2})\\k<separator>(?<day>\\d{1,2})(?:t\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:z|[+\\-]\\d{2}:?\\d{2})?)?',
    ),
    confidence: 1,
    resolve: ({ year, number, day }) => dateOf(year, Number(number), day),
  },
  {
    name: 'numeric date',
    doc: '"01/15/2024": the month first, as in English, unless only the day can be: "15/01/2024".',
    pattern: words(
      '(?<one>\\d{1,2})(?:\\/(?<two>\\d{1,2})\\/(?<year>\\d{4}|\\d{2})|-(?<dashed>\\d{1,2})-(?<dashedYear>\\d{4}))',
    ),
    confidence: 0.9,
    resolve({ one, two, year, dashed, dashedYear }) {
      const [second, inYear] = [two ?? dashed, fullYear(year ?? dashedYear)];
      return dateOf(inYear, Number(one), second) ?? dateOf(inYear, Number(second), one);
    },
  },
  {
    name: 'day month year',
    doc: '"3 March 2025", "3rd of March, 2025", "10 de julio de 2026", "3. März 2025".',
    pattern: words(
      `(?<day>\\d{1,2})${ORDINAL}\\x20{1,3}(?:(?:of|de|di) )?${MONTH_NAME},?\\x20{1,3}(?:(?:of|de|del) )?(?<year>\\d{4})${YEAR_WORD}`,
    ),
    confidence: 1,
    resolve: ({ day, month = '', year }) => dateOf(year, monthNamed(month), day),
  },
  {
    name: 'month day year',
    doc: '"March 3, 2025", "December 25th 2020".',
    pattern: words(
      `${MONTH_NAME} (?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?,?\\x20{1,3}(?:of )?(?<year>\\d{4})`,
    ),
    confidence: 1,
    resolve: ({ day, month = '', year }) => dateOf(year, monthNamed(month), day),
  },
  {
    name: 'days of a month',
    doc: '"June 1–5, 2024", "june 1 to 5": from the one to the other.',
    pattern: words(
      `${MONTH_NAME} (?<day>\\d{1,2})(?:st|nd|rd|th)?(?:\\x20?[\\-–—]\\x20?| (?:to|until|till|through) )(?<dayLast>\\d{1,2})(?:st|nd|rd|th)?(?:,?\\x20{1,3}(?<year>\\d{4}))?(?!\\x20{0,3}\\d)`,
    ),
    confidence: 0.9,
    resolve({ day, dayLast, month = '', year }, { today }) {
      const inYear = (candidate: number) => {
        const [from, to] = [day, dayLast].map((end) => dayOf(candidate, monthNamed(month), Number(end)));
        return from === undefined || to === undefined ? undefined : { first: from, last: to };
      };
      return year === undefined ? latest(today, inYear) : inYear(Number(year));
    },
  },
  {
    name: 'month year',
    doc: '"March 2024", "Sept. 2024", "marzo de 2024": the whole month.',
    pattern: words(`${MONTH_NAME},?\\x20{1,3}(?:(?:of|de|del|do) )?(?<year>\\d{4})${YEAR_WORD}`),
    confidence: 0.9,
    resolve: ({ month = '', year }) => monthOfYear(Number(year), monthNamed(month)),
  },
  {
    name: 'ISO month',
    doc: '"2024-03": the whole month.',
    pattern: words('(?<year>(?:19|20)\\d{2})-(?<number>0[1-9]|1[0-2])'),
    confidence: 0.8,
    resolve: ({ year, number }) => monthOfYear(Number(year), Number(number)),
  },
  {
    name: 'quarter of a year',
    doc: '"Q1 2024", "2024 Q1", "the first quarter of 2024".',
    pattern: words(
      '(?:(?:q(?<quarter>[1-4])|(?<nth>first|second|third|fourth|last|1st|2nd|3rd|4th) quarter)(?: of)?,?\\x20{1,3}(?<year>(?:19|20)\\d{2})|(?<yearFirst>(?:19|20)\\d{2})[\\x20\\-]?q(?<quarterLast>[1-4]))',
    ),
    confidence: 0.9,
    resolve: ({ quarter, nth, year, yearFirst, quarterLast }) =>
      quarterOfYear(Number(year ?? yearFirst), Number(quarter ?? quarterLast ?? nthQuarter(nth))),
  },
  {
    name: 'day of a month',
    doc: '"March 3rd", "on the 4th of July", "3 marzo": the newest that is not ahead.',
    // "Step 3 may fail", "the 5 march on": before a month that is also a verb, a bare number is no day.
    pattern: words(
      `(?:(?<day>\\d{1,2})(?:(?<=(?<!${LETTER})(?:on|by|since|before|after|until|till|from) \\d{1,2}) |(?:st|nd|rd|th|º|°|\\.|er)\\x20{1,3}(?:of )?|\\x20{1,3}(?:of |(?!(?:may|march|mar)(?!${LETTER})))(?:(?:de|di) )?)${MONTH_NAME}|(?<first>${MONTH})\\.? (?:the )?(?<dayLast>\\d{1,2})(?:st|nd|rd|th)?)(?!\\x20{0,3}\\d)`,
    ),
    newest: true,
    confidence: 0.8,
    resolve({ day, dayLast, month, first }, { today }) {
      return latest(today, (year) => dateOf(String(year), monthNamed(month ?? first ?? ''), day ?? dayLast));
    },
  },
  {
    name: 'month',
    doc: '"In March", "since april": the whole month, last year\'s when this year\'s is still ahead.',
    pattern: words(`${PREPOSITION}${MONTH_NAME}(?!\\x20{0,3}\\d)`),
    newest: true,
    confidence: 0.6,
    resolve: ({ month = '' }, { today }) => latest(today, (year) => monthOfYear(year, monthNamed(month))),
  },
  {
    name: 'quarter',
    doc: '"In Q3", "the first quarter": the newest that has begun.',
    pattern: words(
      `(?:${PREPOSITION}(?:the )?q(?<quarter>[1-4])|(?<nth>first|second|third|fourth|1st|2nd|3rd|4th) quarter)`,
    ),
    newest: true,
    confidence: 0.6,
    resolve: ({ quarter, nth }, { today }) =>
      latest(today, (year) => quarterOfYear(year, Number(quarter ?? nthQuarter(nth)))),
  },
  {
    name: 'year',
    doc: '"In 2024", "since 2023": the whole year; not "in 2000 tokens".',
    pattern: words(
      `${PREPOSITION}(?<year>19[7-9]\\d|20\\d{2})(?!\\x20(?:tokens?|lines?|rows?|chars?|characters?|bytes?|files?|ms|seconds?|minutes?|hours?|days?|weeks?|requests?|items?|steps?|words?|users?|times|px|kb|mb|gb|%))(?![,.]\\d|%)`,
    ),
    confidence: 0.8,
    resolve: ({ year }) => wholeYear(Number(year)),
  },
];

/** Phrases that are a time only as an end of "from … to …" or "between … and …". */
export const RANGE_ENDS: readonly Rule[] = [
  {
    name: 'month as an end',
    doc: '"Between march and may".',
    pattern: words(`(?<month>${MONTH})\\.?(?!\\x20{0,3}\\d)`),
    newest: true,
    confidence: 0.6,
    resolve: ({ month = '' }, { today }) => latest(today, (year) => monthOfYear(year, monthNamed(month))),
  },
  {
    name: 'year as an end',
    doc: '"From 2022 to 2024".',
    pattern: words('(?<year>19[7-9]\\d|20\\d{2})'),
    confidence: 0.6,
    resolve: ({ year }) => wholeYear(Number(year)),
  },
  {
    name: 'quarter as an end',
    doc: '"Between Q1 and Q3".',
    pattern: words('q(?<quarter>[1-4])'),
    newest: true,
    confidence: 0.6,
    resolve: ({ quarter }, { today }) => latest(today, (year) => quarterOfYear(year, Number(quarter))),
  },
];

function nthQuarter(nth = ''): number {
  const places: Record<string, number> = { first: 1, second: 2, third: 3, fourth: 4, last: 4 };
  return places[nth] ?? Number(nth[0]);
}
