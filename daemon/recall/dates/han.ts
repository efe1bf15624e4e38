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
import { HAN_NUMBER, hanNumber, unitGroups } from './words.ts';

const UNITS = unitGroups({
  day: '[天日](?:間|间)?',
  week: '(?:个|個)?(?:周|週間?|星期|礼拜|禮拜)',
  month: '[个個ヶヵケカか箇]月(?:間|间)?',
  year: '年(?:間|间)?',
});
/** 几 and 数 are "a few". */
const FEW = '[几幾数數]';
const WEEK = '(?:周|週|星期|礼拜|禮拜)';
/**
 * 上 and 先 are "last", doubled "the one before"; 这, 本 and 今 are "this", 下 and 来 "next". Not the end of another word:
 * 日本周刊 is a Japanese weekly, 以下周 the cycles below.
 */
const WHICH =
  '(?:(?<before>上上|先々|先先)|(?<last>上|先)|(?<after>下下|再[来來](?!一))|(?<next>(?<![以天])下|(?<![将將未以往原从從])[来來])|[这這今]|(?<!日)本)一?(?:个|個)?';

/** Days by their names. What stands before or after tells them from the ends of other words: 目前天气, 说明天气, 今日本. */
const DAY_WORDS: readonly (readonly [pattern: string, offset: number])[] = [
  ['大前天|さきおととい', -3],
  ['(?<![目以之当當提空天日周週月年])前天|一昨日|おととい|おとつい', -2],
  ['昨天|(?<!一)昨日|昨晚|昨夜|きのう|ゆうべ', -1],
  ['今天|今日(?!本)|(?<!日)本日|今晚|今夜|きょう', 0],
  ['(?<![说說聪聰声聲证證])明天(?![气氣空])|明日|あした', 1],
  ['大后天|大後天|明々後日|しあさって', 3],
  ['(?<!大)[后後]天|明後日|あさって', 2],
];
const CHINESE_WEEKDAYS = '一二三四五六日天';
const JAPANESE_WEEKDAYS = '月火水木金土日';
const WEEKDAY = `(?:の?(?<japanese>[${JAPANESE_WEEKDAYS}])曜日?|(?<weekday>[${CHINESE_WEEKDAYS}]))`;
const weekdayIn = ({ weekday, japanese }: Found): number =>
  japanese === undefined
    ? Math.min(CHINESE_WEEKDAYS.indexOf(weekday ?? '一'), 6)
    : JAPANESE_WEEKDAYS.indexOf(japanese);

function offsetOf({ before, last, next, after }: Found): number {
  if (before !== undefined) return -2;
  if (last !== undefined) return -1;
  return next === undefined ? (after === undefined ? 0 : 2) : 1;
}

/** Years by their names; 过去年份 is "past years", and 今年度 a fiscal year, which starts when the company says. */
const YEAR_WORDS: Record<string, number> = {
  一昨年: -2,
  前年: -2,
  去年: -1,
  昨年: -1,
  今年: 0,
  明年: 1,
  来年: 1,
  後年: 2,
  后年: 2,
};
const YEAR_WORD =
  '(?<yearWord>一昨年|(?<![以之年\\d])前年|(?<![过過])去年|(?<!一)昨年|今年|明年|(?<!年)来年|[後后]年)(?!度)';
const YEAR = `(?:(?:(?<year>\\d{4})年|${YEAR_WORD})[的の]?)`;

const inNamedYear = yearResolver(YEAR_WORDS);

/** Chinese phrases, and what Japanese writes with the same signs. A year alone (2024年) is too often part of a name. */
export const HAN: readonly Rule[] = [
  {
    name: 'Chinese day',
    doc: '昨天, 前天, 今天, 明後日: yesterday, the day before, today, the day after tomorrow.',
    pattern: signs(DAY_WORDS.map(([pattern], index) => `(?<word${index}>${pattern})`).join('|')),
    confidence: 0.9,
    resolve: (found, { today }) =>
      single(today + (DAY_WORDS.find((_, index) => found[`word${index}`] !== undefined)?.[1] ?? 0)),
  },
  {
    name: 'Chinese few ago',
    doc: '几天前, 数日前, 前几天: a few days ago.',
    pattern: signs(`${FEW}${UNITS}[以之]?前(?![后後])|前${FEW}(?<before>天)`),
    confidence: 0.6,
    resolve: (found, { today }) =>
      vaguelyAgo(today, VAGUE.few, found.before === undefined ? unitIn(found) : 'day'),
  },
  {
    name: 'Chinese ago',
    doc: '三天前, 两个月前: the one day so far back.',
    pattern: signs(`(?<number>${HAN_NUMBER})${UNITS}[以之]?前(?![后後])`),
    confidence: agoConfidence,
    resolve: (found, { today }) => away(today, -hanNumber(found.number ?? ''), unitIn(found)),
  },
  {
    name: 'Chinese hours ago',
    doc: '3小时前, 20分钟前, 3時間前: the day it was then.',
    pattern: signs(
      `(?<number>${HAN_NUMBER})(?:(?:个|個)?(?<hour>小时|小時|钟头|鐘頭|時間)|分钟|分鐘|分)[以之]?前(?![后後])`,
    ),
    confidence: 0.8,
    resolve: (found, moment) =>
      dayMinutesAgo(moment, hanNumber(found.number ?? '') * (found.hour === undefined ? 1 : 60)),
  },
  {
    name: 'Chinese last N',
    doc: '最近一周, 过去三天, 最近几天, 这几天, この3日間: so far back, up to today.',
    pattern: signs(
      `(?:(?:最近|过去|過去|直近|近|ここ|この)[的の]?(?:(?<few>${FEW})|(?<number>${HAN_NUMBER}))|[这這](?<these>${FEW}))${UNITS}(?!前)`,
    ),
    confidence: 0.8,
    resolve: (found, { today }) =>
      rolling(today, found.number === undefined ? VAGUE.few[1] : hanNumber(found.number), unitIn(found)),
  },
  {
    name: 'Chinese week',
    doc: '上周, 这个星期, 下周一, 上周末, 先週の金曜日: last week, this week, Monday of next week, …',
    pattern: signs(`${WHICH}${WEEK}(?:(?<end>末)|${WEEKDAY})?`),
    confidence: 0.9,
    resolve(found, { today }) {
      const offset = offsetOf(found);
      // On a Sunday the last weekend is the one that ends, whatever the week.
      if (found.end !== undefined)
        return offset === -1 ? lastWeekend(today) : thisWeekend(today + 7 * offset);
      const week = weekOf(today + 7 * offset);
      return found.weekday === undefined && found.japanese === undefined
        ? week
        : single(week.first + weekdayIn(found));
    },
  },
  {
    name: 'Chinese month',
    doc: '上个月, 本月, 来月: last month, this month, next month.',
    pattern: signs(`${WHICH}月(?!曜)`),
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
    pattern: signs(`${YEAR}?(?<month>${HAN_NUMBER})月(?!\\d|曜)`),
    confidence: 0.9,
    resolve: (found, { today }) =>
      inNamedYear(found, today, (year) => monthOfYear(year, hanNumber(found.month ?? ''))),
  },
  {
    name: 'Chinese last or this quarter',
    doc: '上个季度, 本季度: the last, this one.',
    pattern: signs(`${WHICH}季度?`),
    confidence: 0.9,
    resolve: (found, { today }) => period('quarter', today, offsetOf(found)),
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
    name: 'Chinese half-year',
    doc: '上半年, 2024年下半年: the first half, the second half of 2024.',
    pattern: signs(`${YEAR}?(?:上|(?<second>下))半年(?!度)`),
    confidence: 0.9,
    resolve: (found, { today }) =>
      inNamedYear(found, today, (year) => halfOfYear(year, found.second === undefined ? 1 : 2)),
  },
  {
    name: 'Chinese year',
    doc: '去年, 今年, 明年: last year, this year, next year.',
    pattern: signs(YEAR_WORD),
    confidence: 0.9,
    resolve: (found, { today }) => period('year', today, YEAR_WORDS[found.yearWord ?? ''] ?? 0),
  },
  {
    name: 'Chinese ahead',
    doc: '三天后, 2週間後: the one day so far ahead.',
    pattern: signs(`(?<number>${HAN_NUMBER})${UNITS}[以之]?[后後]`),
    confidence: 0.4,
    resolve: (found, { today }) => away(today, hanNumber(found.number ?? ''), unitIn(found)),
  },
  {
    name: 'Chinese weekday',
    doc: '周一, 星期天, 月曜日: the newest, today included; not 每周一 (every Monday) or 一周一次 (once a week).',
    pattern: signs(
      `(?:(?<![上下这這本今每先来來个個隔\\d一二两三四五六七八九十])${WEEK}(?<weekday>[${CHINESE_WEEKDAYS}])(?![次个個年样般曜])|(?<![の每毎週周次翌])(?<japanese>[${JAPANESE_WEEKDAYS}])曜日?)`,
    ),
    confidence: 0.7,
    resolve: (found, { today }) => single(today - ((weekdayOf(today) - weekdayIn(found) + 7) % 7)),
  },
  {
    name: 'Chinese recently',
    doc: '最近: the last 14 days.',
    pattern: signs('最近'),
    confidence: 0.4,
    resolve: (_, { today }) => rolling(today, 14, 'day'),
  },
];
