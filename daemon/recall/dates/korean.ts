import {
  dayOf,
  halfOfYear,
  monthOfYear,
  period,
  quarterOfYear,
  single,
  weekdayOf,
  weekOf,
} from './calendar.ts';
import {
  agoConfidence,
  away,
  dayMinutesAgo,
  lastWeekend,
  rolling,
  thisWeekend,
  VAGUE,
  vaguelyAgo,
  yearResolver,
} from './spans.ts';
import type { Found, Rule } from './rule.ts';
import { signs, unitIn } from './rule.ts';
import { unitGroups } from './words.ts';

const SPACE = '\\x20{0,3}';
/** Particles are written to the end of a word, so only its beginning is sure: 어제는, 지난주에. A space may stand or not. */
const phrase = (source: string): RegExp => signs(`(?<![가-힣\\d])(?:${source.replaceAll(' ', SPACE)})`);

const UNITS = unitGroups({ day: '일', week: '주(?:일)?', month: '(?:개월|달)', year: '년' });
const NUMBERS: Record<string, number> = {
  한: 1,
  일: 1,
  두: 2,
  세: 3,
  네: 4,
  다섯: 5,
  여섯: 6,
  일곱: 7,
  여덟: 8,
  아홉: 9,
  열: 10,
};
const NUMBER = `(?<number>\\d{1,4}|${Object.keys(NUMBERS).join('|')})`;
const numberIn = ({ number = '' }: Found): number => NUMBERS[number] ?? Number(number);

const DAY_WORDS: Record<string, number> = {
  그끄저께: -3,
  그저께: -2,
  그제: -2,
  엊그제: -2,
  어제: -1,
  어저께: -1,
  어젯밤: -1,
  오늘: 0,
  내일: 1,
  모레: 2,
};
/** Days are counted with words of their own: 이틀 전 is two days ago. */
const DAY_COUNTS: Record<string, number> = { 하루: 1, 이틀: 2, 사흘: 3, 나흘: 4, 열흘: 10, 보름: 15 };
const YEAR_WORDS: Record<string, number> = { 재작년: -2, 작년: -1, 지난해: -1, 올해: 0, 금년: 0, 내년: 1 };
const WHICH = '(?:(?<last>지난|저번)|(?<current>이번)|다음)';
const offsetOf = ({ last, current }: Found): number =>
  last === undefined ? (current === undefined ? 1 : 0) : -1;
const WEEKDAYS = '월화수목금토일';
const YEAR = `(?:(?:(?<year>\\d{4})년|(?<yearWord>${Object.keys(YEAR_WORDS).join('|')})) )`;

const inNamedYear = yearResolver(YEAR_WORDS);

/** Korean phrases. The first rule that finds something wins. */
export const KOREAN: readonly Rule[] = [
  {
    name: 'Korean day',
    doc: '어제, 그저께, 오늘: yesterday, the day before, today.',
    pattern: phrase(`(?<word>${Object.keys(DAY_WORDS).join('|')})`),
    confidence: 0.9,
    resolve: (found, { today }) => single(today + (DAY_WORDS[found.word ?? ''] ?? 0)),
  },
  {
    name: 'Korean few ago',
    doc: '며칠 전, 몇 주 전: a few days ago, a few weeks ago.',
    pattern: phrase(`(?:(?<days>며칠)|몇 ${UNITS}) 전`),
    confidence: 0.6,
    resolve: (found, { today }) =>
      vaguelyAgo(today, VAGUE.few, found.days === undefined ? unitIn(found) : 'day'),
  },
  {
    name: 'Korean ago',
    doc: '3일 전, 이틀 전, 두 달 전, 1년 전: the one day so far back.',
    pattern: phrase(`(?:(?<count>${Object.keys(DAY_COUNTS).join('|')})|${NUMBER} ${UNITS}) 전`),
    confidence: (found) => (found.count === undefined ? agoConfidence(found) : 0.8),
    resolve: (found, { today }) =>
      found.count === undefined
        ? away(today, -numberIn(found), unitIn(found))
        : single(today - (DAY_COUNTS[found.count] ?? 0)),
  },
  {
    name: 'Korean hours ago',
    doc: '3시간 전, 20분 전: the day it was then.',
    pattern: phrase(`${NUMBER} (?:(?<hour>시간)|분) 전`),
    confidence: 0.8,
    resolve: (found, moment) => dayMinutesAgo(moment, numberIn(found) * (found.hour === undefined ? 1 : 60)),
  },
  {
    name: 'Korean last N',
    doc: '최근 3일, 지난 2주간: so far back, up to today.',
    pattern: phrase(`(?:최근|지난) ${NUMBER} ${UNITS}(?! 전)`),
    confidence: 0.8,
    resolve: (found, { today }) => rolling(today, numberIn(found), unitIn(found)),
  },
  {
    name: 'Korean week',
    doc: '지난주, 이번 주말, 다음 주 월요일: last week, this weekend, Monday of next week.',
    pattern: phrase(`${WHICH} 주(?:(?<end>말)| (?<weekday>[${WEEKDAYS}])요일)?`),
    confidence: 0.9,
    resolve(found, { today }) {
      const offset = offsetOf(found);
      if (found.end !== undefined)
        return offset === -1 ? lastWeekend(today) : thisWeekend(today + 7 * offset);
      const week = weekOf(today + 7 * offset);
      return found.weekday === undefined ? week : single(week.first + WEEKDAYS.indexOf(found.weekday));
    },
  },
  {
    name: 'Korean month',
    doc: '지난달, 이번 달: last month, this month.',
    pattern: phrase(`${WHICH} 달`),
    confidence: 0.9,
    resolve: (found, { today }) => period('month', today, offsetOf(found)),
  },
  {
    name: 'Korean quarter by order',
    doc: '지난 분기, 이번 분기: the last quarter, this one.',
    pattern: phrase(`${WHICH} 분기`),
    confidence: 0.9,
    resolve: (found, { today }) => period('quarter', today, offsetOf(found)),
  },
  {
    name: 'Korean date',
    doc: '2024년 3월 5일, 3월 5일, 작년 3월: the newest that is not ahead when no year is named; a month without a day is whole.',
    pattern: phrase(`${YEAR}?(?<month>\\d{1,2})월(?: (?<day>\\d{1,2})일)?`),
    confidence: 0.9,
    resolve: (found, { today }) =>
      inNamedYear(found, today, (year) => {
        if (found.day === undefined) return monthOfYear(year, Number(found.month));
        const day = dayOf(year, Number(found.month), Number(found.day));
        return day === undefined ? undefined : single(day);
      }),
  },
  {
    name: 'Korean quarter or half-year',
    doc: '1분기, 2024년 3분기, 상반기, 작년 하반기.',
    pattern: phrase(`${YEAR}?(?:(?<quarter>[1-4])분기|(?<first>상)반기|하반기)`),
    confidence: 0.9,
    resolve: (found, { today }) =>
      inNamedYear(found, today, (year) =>
        found.quarter === undefined
          ? halfOfYear(year, found.first === undefined ? 2 : 1)
          : quarterOfYear(year, Number(found.quarter)),
      ),
  },
  {
    name: 'Korean year',
    doc: '작년, 올해, 내년: last year, this year, next year.',
    pattern: phrase(`(?<yearWord>${Object.keys(YEAR_WORDS).join('|')})`),
    confidence: 0.9,
    resolve: (found, { today }) => period('year', today, YEAR_WORDS[found.yearWord ?? ''] ?? 0),
  },
  {
    name: 'Korean weekday',
    doc: '월요일: the newest, today included; not 매주 월요일 (every Monday).',
    pattern: signs(`(?<![가-힣]|(?:매주|다음)\\x20{1,3})(?<weekday>[${WEEKDAYS}])요일`),
    confidence: 0.7,
    resolve: (found, { today }) =>
      single(today - ((weekdayOf(today) - WEEKDAYS.indexOf(found.weekday ?? '') + 7) % 7)),
  },
  {
    name: 'Korean recently',
    doc: '최근, 요즘: the last 14 days.',
    pattern: phrase('최근|요즘'),
    confidence: 0.4,
    resolve: (_, { today }) => rolling(today, 14, 'day'),
  },
];
