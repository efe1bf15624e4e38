import {
  civil,
  dayOf,
  type Days,
  latest,
  monthOfYear,
  period,
  quarterOfYear,
  single,
  weekdayOf,
  weekOf,
} from './calendar.ts';
import { agoConfidence, away, lastWeekend, rolling, thisWeekend, VAGUE, vaguelyAgo } from './spans.ts';
import type { Found, Rule } from './rule.ts';
import { signs, unitIn } from './rule.ts';
import { HAN_NUMBER, hanNumber, unitGroups } from './words.ts';

const UNITS = unitGroups({
  day: '[天日]',
  week: '(?:个|個)?(?:周|週間?|星期|礼拜)',
  month: '[个個ヶか]月',
  year: '年',
});
const WEEK = '(?:周|週|星期|礼拜)';
/** 上, 上个 and 先 are "last", doubled "the one before"; 这, 本 and 今 are "this". */
const WHICH = '(?:(?<before>上上|先々)|(?<last>上|先)|这|本|今)(?:个|個)?';

const DAY_WORDS: Record<string, number> = {
  大前天: -3,
  前天: -2,
  昨天: -1,
  昨日: -1,
  今天: 0,
  今日: 0,
  明天: 1,
};
const WEEKDAYS = '一二三四五六日天';
const weekdayAt = (sign = '一'): number => Math.min(WEEKDAYS.indexOf(sign), 6);

const offsetOf = (found: Found): number =>
  found.before === undefined ? (found.last === undefined ? 0 : -1) : -2;

const YEAR = '(?:(?<year>\\d{4})年|(?<yearWord>前年|去年|今年))';
const YEAR_WORDS: Record<string, number> = { 前年: -2, 去年: -1, 今年: 0 };

/** Resolves in the year that was named, else in the newest that has begun. */
function inNamedYear(
  found: Found,
  today: number,
  resolve: (year: number) => Days | undefined,
): Days | undefined {
  if (found.year !== undefined) return resolve(Number(found.year));
  if (found.yearWord !== undefined) return resolve(civil(today).year + (YEAR_WORDS[found.yearWord] ?? 0));
  return latest(today, resolve);
}

/** Chinese phrases, and what Japanese writes with the same signs. A year alone (2024年) is too often part of a name. */
export const HAN: readonly Rule[] = [
  {
    name: 'Chinese day',
    doc: '昨天, 前天, 今天: yesterday, the day before, today.',
    pattern: signs(`(?<word>${Object.keys(DAY_WORDS).join('|')})`),
    confidence: 0.9,
    resolve: (found, { today }) => single(today + (DAY_WORDS[found.word ?? ''] ?? 0)),
  },
  {
    name: 'Chinese few ago',
    doc: '几天前, 前几天: a few days ago.',
    pattern: signs(`[几幾]${UNITS}[以之]?前|前[几幾](?<before>天)`),
    confidence: 0.6,
    resolve: (found, { today }) =>
      vaguelyAgo(today, VAGUE.few, found.before === undefined ? unitIn(found) : 'day'),
  },
  {
    name: 'Chinese ago',
    doc: '三天前, 两个月前: the one day so far back.',
    pattern: signs(`(?<number>${HAN_NUMBER})${UNITS}[以之]?前`),
    confidence: agoConfidence,
    resolve: (found, { today }) => away(today, -hanNumber(found.number ?? ''), unitIn(found)),
  },
  {
    name: 'Chinese last N',
    doc: '最近一周, 过去三天, 最近几天: so far back, up to today.',
    pattern: signs(`(?:最近|过去|過去|近)的?(?:(?<few>[几幾])|(?<number>${HAN_NUMBER}))${UNITS}(?!前)`),
    confidence: 0.8,
    resolve: (found, { today }) =>
      rolling(today, found.few === undefined ? hanNumber(found.number ?? '') : VAGUE.few[1], unitIn(found)),
  },
  {
    name: 'Chinese week',
    doc: '上周, 这个星期, 上周末, 上周一: last week, this week, last weekend, Monday of last week.',
    pattern: signs(`${WHICH}${WEEK}(?:(?<end>末)|(?<weekday>[${WEEKDAYS}]))?`),
    confidence: 0.9,
    resolve(found, { today }) {
      const offset = offsetOf(found);
      if (found.end !== undefined)
        return offset === 0
          ? thisWeekend(today)
          : offset === -1
            ? lastWeekend(today)
            : thisWeekend(today - 14);
      const week = weekOf(today + 7 * offset);
      return found.weekday === undefined ? week : single(week.first + weekdayAt(found.weekday));
    },
  },
  {
    name: 'Chinese month',
    doc: '上个月, 本月: last month, this month.',
    pattern: signs(`${WHICH}月`),
    confidence: 0.9,
    resolve: (found, { today }) => period('month', today, offsetOf(found)),
  },
  {
    name: 'Chinese date',
    doc: '2024年3月3日, 3月3日, 去年三月五号: the newest that is not ahead when no year is named.',
    pattern: signs(`${YEAR}?(?<month>${HAN_NUMBER})月(?:份)?(?<day>${HAN_NUMBER})[日号號]`),
    confidence: 1,
    resolve(found, { today }) {
      return inNamedYear(found, today, (year) => {
        const day = dayOf(year, hanNumber(found.month ?? ''), hanNumber(found.day ?? ''));
        return day === undefined ? undefined : single(day);
      });
    },
  },
  {
    name: 'Chinese month by name',
    doc: '2024年3月, 去年三月, 一月: the whole month.',
    pattern: signs(`${YEAR}?(?<month>${HAN_NUMBER})月(?!\\d)`),
    confidence: 0.9,
    resolve: (found, { today }) =>
      inNamedYear(found, today, (year) => monthOfYear(year, hanNumber(found.month ?? ''))),
  },
  {
    name: 'Chinese quarter',
    doc: '第一季度, 2024年第三季度: the quarter.',
    pattern: signs(`${YEAR}?第?(?<quarter>[一二三四1234])季度`),
    confidence: 0.9,
    resolve: (found, { today }) =>
      inNamedYear(found, today, (year) => quarterOfYear(year, hanNumber(found.quarter ?? ''))),
  },
  {
    name: 'Chinese year',
    doc: '去年, 今年: last year, this year.',
    pattern: signs('(?<yearWord>前年|去年|今年)'),
    confidence: 0.9,
    resolve: (found, { today }) => period('year', today, YEAR_WORDS[found.yearWord ?? ''] ?? 0),
  },
  {
    name: 'Chinese weekday',
    doc: '周一, 星期天: the newest, today included; not 每周一 (every Monday) or 一周一次 (once a week).',
    pattern: signs(
      `(?<![上下这本今每先来个個\\d一二两三四五六七八九十])${WEEK}(?<weekday>[${WEEKDAYS}])(?![次个年样般])`,
    ),
    confidence: 0.7,
    resolve: (found, { today }) => single(today - ((weekdayOf(today) - weekdayAt(found.weekday) + 7) % 7)),
  },
  {
    name: 'Chinese recently',
    doc: '最近: the last 14 days.',
    pattern: signs('最近'),
    confidence: 0.4,
    resolve: (_, { today }) => rolling(today, 14, 'day'),
  },
];
