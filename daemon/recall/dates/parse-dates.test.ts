import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { DISTANT_PAST } from './calendar.ts';
import { type DateRange, parseDates, RULES, withoutPhrase } from './parse-dates.ts';
import { DAY, dateOf } from '../../platform/time.ts';

const WEDNESDAY = Date.UTC(2025, 4, 14, 16, 20); // 14 May 2025

const days = ({ start, end }: DateRange) =>
  dateOf(start) === dateOf(end) ? dateOf(start) : `${dateOf(start)}..${dateOf(end)}`;

function said(query: string, now = WEDNESDAY): string | null {
  const range = parseDates(query, now, 0);
  return range && days(range);
}

const reads = (cases: [query: string, meaning: string | null][], now = WEDNESDAY) =>
  test.each(cases)('%s → %s', (query, meaning) => expect(said(query, now)).toBe(meaning));

describe('counted from today', () => {
  reads([
    ['what broke yesterday?', '2025-05-13'],
    ["Today's deploys", '2025-05-14'],
    ['the day before yesterday', '2025-05-12'],
    ['a couple of days ago', '2025-05-11..2025-05-13'],
    ['few weeks ago', '2025-04-09..2025-04-30'],
    ['a couple of months ago', '2025-02-13..2025-04-14'],
    ['six days ago', '2025-05-08'],
    ['twenty-two days ago', '2025-04-22'],
    ['a week ago', '2025-05-07'],
    ['2 months ago', '2025-03-14'],
    ['3 years ago', '2022-05-14'],
    ['5 hours ago', '2025-05-14'],
    ['17 hours ago', '2025-05-13'],
    ['2d ago', '2025-05-12'],
    ['1mon ago', '2025-04-14'],
    ['6mo ago', '2024-11-14'],
    ['20h ago', '2025-05-13'],
    ['the last 24 hours', '2025-05-13..2025-05-14'],
    ['the last 3d model', null],
    ['the last 10 days', '2025-05-04..2025-05-14'],
    ['over the past two weeks', '2025-04-30..2025-05-14'],
    ['past few days', '2025-05-09..2025-05-14'],
    ['in 2 weeks', '2025-05-28'],
    ['ten days later', '2025-05-24'],
    ['recently', '2025-04-30..2025-05-14'],
    ['this sprint', '2025-04-30..2025-05-14'],
  ]);
});

describe('periods of the calendar', () => {
  reads([
    ['LAST   week', '2025-05-05..2025-05-11'],
    ['this week', '2025-05-12..2025-05-18'],
    ['the week before last', '2025-04-28..2025-05-04'],
    ['last month', '2025-04-01..2025-04-30'],
    ['this year', '2025-01-01..2025-12-31'],
    ['last quarter', '2025-01-01..2025-03-31'],
    ['last weekend', '2025-05-10..2025-05-11'],
    ['this weekend', '2025-05-17..2025-05-18'],
    ['last Friday', '2025-05-09'],
    ['last wednesday', '2025-05-07'],
    ['on Thursday', '2025-05-08'],
    ['this friday', '2025-05-16'],
  ]);

  describe('at the borders of a year', () => {
    const newYear = Date.UTC(2026, 0, 1); // a Thursday
    reads(
      [
        ['last week', '2025-12-22..2025-12-28'],
        ['this week', '2025-12-29..2026-01-04'],
        ['last month', '2025-12-01..2025-12-31'],
        ['yesterday', '2025-12-31'],
      ],
      newYear,
    );
  });

  describe('in a leap year', () => {
    const leapDay = Date.UTC(2024, 1, 29, 12);
    reads(
      [
        ['a year ago', '2023-02-28'],
        ['this month', '2024-02-01..2024-02-29'],
        ['february 29', '2024-02-29'],
        ['four years ago', '2020-02-29'],
      ],
      leapDay,
    );
    test('29 February of a common year is none', () => expect(said('2023-02-29')).toBeNull());
    test('a month back from the 31st ends with the shorter month', () =>
      expect(said('1 month ago', Date.UTC(2024, 2, 31))).toBe('2024-02-29'));
  });

  describe('on the days of the week itself', () => {
    test('on a Sunday, last weekend is the one that ends', () =>
      expect(said('last weekend', Date.UTC(2025, 4, 18))).toBe('2025-05-17..2025-05-18'));
    test('on a Saturday, it is the one before', () =>
      expect(said('last weekend', Date.UTC(2025, 4, 17))).toBe('2025-05-10..2025-05-11'));
    test('on a Monday, the week has just begun', () =>
      expect(said('this week', Date.UTC(2025, 4, 12))).toBe('2025-05-12..2025-05-18'));
  });
});

describe('dates', () => {
  reads([
    ['the release of 2025-02-11.', '2025-02-11'],
    ['2025-02-11T08:30:00Z', '2025-02-11'],
    ['2025/02/11', '2025-02-11'],
    ['02/11/2025', '2025-02-11'],
    ['21/02/2025', '2025-02-21'],
    ['11 February 2025', '2025-02-11'],
    ['Feb 11th, 2025', '2025-02-11'],
    ['the 2nd of August 2023', '2023-08-02'],
    ['Oct. 2023', '2023-10-01..2023-10-31'],
    ['2023-10', '2023-10-01..2023-10-31'],
    ['Q2 2023', '2023-04-01..2023-06-30'],
    ['the third quarter of 2023', '2023-07-01..2023-09-30'],
    ['in April', '2025-04-01..2025-04-30'],
    ['in October', '2024-10-01..2024-10-31'],
    ['last march', '2025-03-01..2025-03-31'],
    ['last may', '2024-05-01..2024-05-31'],
    ['June 3', '2024-06-03'],
    ['on 3 may', '2025-05-03'],
    ['in 2023', '2023-01-01..2023-12-31'],
  ]);
});

describe('ranges', () => {
  reads([
    ['from 2025-01-03 to 2025-02-01', '2025-01-03..2025-02-01'],
    ['2025-01-03..2025-02-01', '2025-01-03..2025-02-01'],
    ['between January and March 2024', '2024-01-01..2024-03-31'],
    ['between november and february', '2024-11-01..2025-02-28'],
    ['from 2021 to 2023', '2021-01-01..2023-12-31'],
    ['June 3–9, 2024', '2024-06-03..2024-06-09'],
    ['from last month until yesterday', '2025-04-01..2025-05-13'],
    ['monday to friday', '2025-05-05..2025-05-09'],
    ['last month and yesterday', '2025-05-13'],
    ['from 2025-02-01 to 2025-01-03', '2025-02-01'],
  ]);
});

describe('before, until, since, after', () => {
  const distantPast = dateOf(DISTANT_PAST);
  reads([
    ['before 2025-02-11', `${distantPast}..2025-02-10`],
    ['prior to last month', `${distantPast}..2025-03-31`],
    ['until march 2024', `${distantPast}..2024-03-31`],
    ['what we decided since last week', '2025-05-05..2025-05-14'],
    ['since october', '2024-10-01..2025-05-14'],
    ['after 2025-02-11', '2025-02-12..2025-05-14'],
    ['from monday onwards', '2025-05-12..2025-05-14'],
    ['after today', '2025-05-14'],
    ['before 1960-01-01', '1960-01-01'],
    ['before the rewrite', null],
    ['since the migration', null],
  ]);
});

describe('no phrase of time', () => {
  reads(
    [
      '',
      '   ',
      'how does the cache work',
      'yesteday',
      'lsat week',
      'v2025.02.11',
      '10.12.20.25',
      'logs/2025-02-11/out.log',
      'build-2025-02-11',
      'notes_2025-02-11.md',
      '?day=2025-02-11',
      '2025-13-01',
      '2025-02-30',
      '02/30/2025',
      'february 31 2025',
      'march 0000',
      'every monday',
      'next week',
      'next friday',
      'monday.com',
      'today()',
      'sat',
      'the second try',
      'in 2000 tokens',
      'a limit of 2048',
      'maybe',
      'decode the token',
      '1.5 days ago',
      '99999 years ago',
      'at 30pm',
      '16.05.2025',
      'the last of us',
      'weekly report',
    ].map((query) => [query, null]),
  );
});

describe('other languages', () => {
  reads([
    ['¿qué cambió ayer?', '2025-05-13'],
    ['hace tres semanas', '2025-04-23'],
    ['la semana pasada', '2025-05-05..2025-05-11'],
    ['4 de febrero de 2025', '2025-02-04'],
    ['due giorni fa', '2025-05-12'],
    ['lo scorso weekend', '2025-05-10..2025-05-11'],
    ['vor einer Woche', '2025-05-07'],
    ['letzten Monat', '2025-04-01..2025-04-30'],
    ['am 4. Februar 2025', '2025-02-04'],
    ['aujourd’hui', '2025-05-14'],
    ['il y a quelques jours', '2025-05-09..2025-05-12'],
    ['Qu’ai-je fait hier ?', '2025-05-13'],
    ['was steht hier?', null],
    ['неделю назад', '2025-05-07'],
    ['в этом году', '2025-01-01..2025-12-31'],
    ['4 февраля 2025', '2025-02-04'],
    ['前天', '2025-05-12'],
    ['十二天前', '2025-05-02'],
    ['上上周', '2025-04-28..2025-05-04'],
    ['最近两周的改动', '2025-04-30..2025-05-14'],
    ['去年十月', '2024-10-01..2024-10-31'],
    ['一周一次', null],
    ['每周一', null],
    ['一百万年前', null],
    ['há 3 semanas', '2025-04-23'],
    ['dois meses atrás', '2025-03-14'],
    ['o que mudou na semana passada?', '2025-05-05..2025-05-11'],
    ['3 dagen geleden', '2025-05-11'],
    ['vorige maandag', '2025-05-12'],
  ]);

  describe('Chinese', () => {
    reads([
      ['下周的计划', '2025-05-19..2025-05-25'],
      ['下周一', '2025-05-19'],
      ['下个月', '2025-06-01..2025-06-30'],
      ['明年', '2026-01-01..2026-12-31'],
      ['上半年', '2025-01-01..2025-06-30'],
      ['去年下半年', '2024-07-01..2024-12-31'],
      ['上一季度', '2025-01-01..2025-03-31'],
      ['后天', '2025-05-16'],
      ['三天后', '2025-05-17'],
      ['20小时前', '2025-05-13'],
      ['這個月', '2025-05-01..2025-05-31'],
      ['兩個星期前', '2025-04-30'],
      ['目前天气', null],
      ['说明天气接口', null],
      ['过去年份', null],
      ['三天前后', null],
      ['以下周期', null],
    ]);
  });

  describe('Japanese', () => {
    reads([
      ['一昨日の変更', '2025-05-12'],
      ['先週の金曜日', '2025-05-09'],
      ['来月', '2025-06-01..2025-06-30'],
      ['昨年の3月', '2024-03-01..2024-03-31'],
      ['3ヶ月前', '2025-02-14'],
      ['この3日間', '2025-05-11..2025-05-14'],
      ['数日前', '2025-05-09..2025-05-12'],
      ['金曜日', '2025-05-09'],
      ['毎週月曜', null],
      ['今日本の会社', null],
      ['今年度', null],
    ]);
  });

  describe('Korean', () => {
    reads([
      ['어제는 뭘 고쳤지?', '2025-05-13'],
      ['지난주에', '2025-05-05..2025-05-11'],
      ['지난주 금요일', '2025-05-09'],
      ['이번 달', '2025-05-01..2025-05-31'],
      ['이틀 전', '2025-05-12'],
      ['두 달 전', '2025-03-14'],
      ['최근 3일', '2025-05-11..2025-05-14'],
      ['2024년 3월 5일', '2024-03-05'],
      ['작년 하반기', '2024-07-01..2024-12-31'],
      ['매주 월요일', null],
      ['오전 배포', null],
    ]);
  });
});

describe('the answer', () => {
  test('is more certain of a date than of a vague word, and least of a word that may be a verb', () => {
    const sure = [
      '2025-02-11',
      'yesterday',
      '3 days ago',
      '2 weeks ago',
      'a few days ago',
      'this sprint',
      'recently',
      'she may know',
    ].map((query) => parseDates(query, WEDNESDAY, 0)?.confidence);
    expect(sure).toEqual([1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.2]);
  });

  test('names the words it read, with what leads them, as they were written', () => {
    expect(parseDates('What changed Since  LAST Week in payments?', WEDNESDAY, 0)?.matchedText).toBe(
      'Since  LAST Week',
    );
  });

  test('keeps to the days of the given offset', () => {
    const lateInLondon = Date.UTC(2025, 4, 14, 23, 30);
    expect(parseDates('today', lateInLondon, 120)).toMatchObject({
      start: Date.UTC(2025, 4, 14, 22),
      end: Date.UTC(2025, 4, 15, 22) - 1,
    });
    expect(parseDates('today', lateInLondon, -60)).toMatchObject({
      start: Date.UTC(2025, 4, 14, 1),
      end: Date.UTC(2025, 4, 15, 1) - 1,
    });
  });

  test.each(['a wrong clock', 'a wrong offset'])('is null for %s', (what) => {
    expect(
      what === 'a wrong clock' ? parseDates('today', NaN, 0) : parseDates('today', WEDNESDAY, Infinity),
    ).toBeNull();
  });
});

describe('on the machine’s own clock', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test('a winter day starts at midnight even when it is asked for in summer', () => {
    process.env.TZ = 'Europe/Paris';
    expect(parseDates('2025-01-15', Date.UTC(2025, 6, 1))).toMatchObject({
      start: Date.UTC(2025, 0, 14, 23),
      end: Date.UTC(2025, 0, 15, 23) - 1,
    });
    expect(parseDates('today', Date.UTC(2025, 6, 1, 22, 30))).toMatchObject({
      start: Date.UTC(2025, 6, 1, 22),
    });
  });
});

describe('the question without its phrase', () => {
  const without = (query: string) => {
    const range = parseDates(query, WEDNESDAY, 0);
    return range && withoutPhrase(query, range);
  };
  test.each([
    ['what did we change in payments last week?', 'what did we change in payments?'],
    ["yesterday's outage of the queue", 'outage of the queue'],
    ['2025-02-11, what happened', 'what happened'],
    ['todays plan: what happened today', 'todays plan: what happened'],
    ['昨天做了什么', '做了什么'],
    ['last week', ''],
  ])('%s → %s', (query, rest) => expect(without(query)).toBe(rest));
});

describe('whatever is asked', () => {
  const phrase = fc.constantFrom(
    'last',
    'week',
    'may',
    'from',
    'to',
    'between',
    'and',
    'since',
    'before',
    '2025-02-11',
    '31',
    '9999',
    '0001',
    'ago',
    'days',
    'few',
    '上周',
    '月',
    '十',
    'in',
    'q4',
    '12/31/9999',
    'vor',
    'hier',
    'monday',
    '-',
    '..',
  );
  const query = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(phrase, fc.string({ maxLength: 4 })), { maxLength: 8 }).map((parts) => parts.join(' ')),
  );

  test('it never throws, starts no later than it ends, and covers whole days', () => {
    fc.assert(
      fc.property(query, fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2200, 0) }), (text, now) => {
        const range = parseDates(text, now, 0);
        if (!range) return;
        expect(range.start).toBeLessThan(range.end);
        expect(Math.abs(range.start % DAY)).toBe(0);
        expect(Math.abs((range.end + 1) % DAY)).toBe(0);
        expect(range.confidence).toBeGreaterThan(0);
        expect(text.normalize('NFC')).toContain(range.matchedText);
        withoutPhrase(text, range);
      }),
      { numRuns: 500 },
    );
  });

  test('it never throws, however wrong the clock', () => {
    fc.assert(
      fc.property(
        query,
        fc.double(),
        fc.option(fc.double(), { nil: undefined }),
        (text, now, offset) => void parseDates(text, now, offset),
      ),
    );
  });

  test.each([
    'a',
    ' ',
    '9',
    'in   ',
    'last ',
    'may 99 ',
    '1-',
    '2025-13-45 ',
    '上上个',
    '三',
    'twenty ',
    'from 2025-02-11 to 2024-01-01 ',
    'last week and ',
    'between may and ',
    'il y a ',
    'İ',
    '\u0301',
  ])('a megabyte of %j is read within the time a test has', (part) => {
    expect(() => parseDates(part.repeat(Math.ceil(1_000_000 / part.length)), WEDNESDAY, 0)).not.toThrow();
  });
});

test('every rule says what it means, under a name of its own', () => {
  expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
  expect(RULES.filter(({ doc }) => doc.length < 10)).toEqual([]);
});
