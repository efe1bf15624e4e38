import type { Unit } from './calendar.ts';

/**
 * The names of the months, January first, in every language we read: English, Spanish, Italian, German, French,
 * Russian, Portuguese, Dutch.
 */
const MONTH_NAMES = [
  'january jan enero gennaio januar jänner janvier январь января январе janeiro januari',
  'february feb febrero febbraio februar février fevrier февраль февраля феврале fevereiro februari',
  'march mar marzo märz maerz mars март марта марте março maart',
  'april apr abril aprile avril апрель апреля апреле',
  'may mayo maggio mai май мая мае maio mei',
  'june jun junio giugno juni juin июнь июня июне junho',
  'july jul julio luglio juli juillet июль июля июле julho',
  'august aug agosto août aout август августа августе augustus',
  'september sept sep septiembre setiembre settembre septembre сентябрь сентября сентябре setembro',
  'october oct octubre ottobre oktober octobre октябрь октября октябре outubro',
  'november nov noviembre novembre ноябрь ноября ноябре novembro',
  'december dec diciembre dicembre dezember décembre decembre декабрь декабря декабре dezembro',
];

const ENGLISH_MONTHS = MONTH_NAMES.map((names) => names.split(' ')[0] ?? '');

const WEEKDAY_NAMES = [
  'monday mon lunes lunedì lunedi montag lundi понедельник segunda-feira maandag',
  'tuesday tues tue martes martedì martedi dienstag mardi вторник terça-feira dinsdag',
  'wednesday wed miércoles miercoles mercoledì mercoledi mittwoch mercredi среда среду quarta-feira woensdag',
  'thursday thurs thur thu jueves giovedì giovedi donnerstag jeudi четверг quinta-feira donderdag',
  'friday fri viernes venerdì venerdi freitag vendredi пятница пятницу sexta-feira vrijdag',
  'saturday sat sábado sabado sabato samstag sonnabend samedi суббота субботу zaterdag',
  'sunday sun domingo domenica sonntag dimanche воскресенье zondag',
];

const NUMBER_NAMES: readonly (readonly [names: string, value: number])[] = [
  ['a an one un una uno ein eine einem einer une один одну um uma een', 1],
  ['two dos due zwei deux два две dois duas twee', 2],
  ['three tres tre drei trois три três drie', 3],
  ['four cuatro quattro vier quatre четыре quatro', 4],
  ['five cinco cinque fünf cinq пять vijf', 5],
  ['six seis sei sechs шесть zes', 6],
  ['seven siete sette sieben sept семь sete zeven', 7],
  ['eight ocho otto acht huit восемь oito', 8],
  ['nine nueve nove neun neuf девять negen', 9],
  ['ten diez dieci zehn dix десять dez tien', 10],
  ['eleven', 11],
  ['twelve', 12],
  ['thirteen', 13],
  ['fourteen', 14],
  ['fifteen', 15],
  ['sixteen', 16],
  ['seventeen', 17],
  ['eighteen', 18],
  ['nineteen', 19],
  ['twenty', 20],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['seventy', 70],
  ['eighty', 80],
  ['ninety', 90],
];

const positions = (rows: readonly string[], first: number) =>
  new Map(rows.flatMap((names, row) => names.split(' ').map((name) => [name, row + first] as const)));

const MONTH_OF = positions(MONTH_NAMES, 1);
const WEEKDAY_OF = positions(WEEKDAY_NAMES, 0);
const NUMBER_OF = new Map(
  NUMBER_NAMES.flatMap(([names, value]) => names.split(' ').map((name) => [name, value] as const)),
);

/** The longest name first, so that "sept" is not read as "sep" and a rest. */
const either = (names: Iterable<string>): string =>
  `(?:${[...names].toSorted((a, b) => b.length - a.length).join('|')})`;

export const MONTH = either(MONTH_OF.keys());
export const ENGLISH_MONTH = either(ENGLISH_MONTHS);
export const WEEKDAY = either(WEEKDAY_OF.keys());
/** Written out: "sun", "sat" and "wed" are also words of other matters. */
export const ENGLISH_WEEKDAY = either(WEEKDAY_NAMES.map((names) => names.split(' ')[0] ?? ''));
export const NUMBER = `(?:\\d{1,5}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[\\-\\x20](?:one|two|three|four|five|six|seven|eight|nine)|${either(NUMBER_OF.keys())})`;

export const monthNamed = (name: string): number => MONTH_OF.get(name) ?? 0;
export const weekdayNamed = (name: string): number => WEEKDAY_OF.get(name) ?? 0;

export function numberNamed(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  return text.split(/[- ]/).reduce((sum, word) => sum + (NUMBER_OF.get(word) ?? 0), 0);
}

const DIGITS = new Map([...'零一二三四五六七八九'].map((digit, value) => [digit, value] as const))
  .set('两', 2)
  .set('兩', 2)
  .set('〇', 0);
const SCALES = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
  ['万', 1e4],
  ['亿', 1e8],
] as const);
export const HAN_NUMBER = `(?<![\\d${[...DIGITS.keys(), ...SCALES.keys()].join('')}])[\\d${[...DIGITS.keys(), ...SCALES.keys()].join('')}]{1,8}`;

/** 十二 is 12, 二十 is 20, 三百零五 is 305, 十万 is 100,000. */
export function hanNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  let total = 0;
  let section = 0;
  let digit: number | undefined;
  for (const sign of text) {
    const scale = SCALES.get(sign as '十'); // any character may be asked for; most are not there
    if (scale === undefined) digit = (digit ?? 0) * 10 + (DIGITS.get(sign) ?? Number(sign));
    else if (scale >= 1e4) {
      total = (total + section + (digit ?? 0) || 1) * scale;
      section = 0;
      digit = undefined;
    } else {
      section += (digit ?? 1) * scale;
      digit = undefined;
    }
  }
  return total + section + (digit ?? 0);
}

/** The names of the units; which group matched says which unit was meant. */
export const unitGroups = (names: Record<Unit, string>): string =>
  `(?:(?<day>${names.day})|(?<week>${names.week})|(?<month>${names.month})|(?<year>${names.year}))`;

export const ENGLISH_UNITS = unitGroups({
  day: 'days?',
  week: 'weeks?|wks?',
  month: 'months?|mons?|mths?',
  year: 'years?|yrs?',
});
/** Units as they are typed in a hurry, right behind their number: "2d", "3mo", "1y". */
export const SHORT_UNITS = unitGroups({
  day: 'd',
  week: 'wks?|w',
  month: 'months?|mons?|mths?|mos?',
  year: 'yrs?|y',
});
