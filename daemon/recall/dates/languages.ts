import { period, single } from './calendar.ts';
import {
  agoConfidence,
  away,
  lastWeekend,
  rolling,
  thisWeekend,
  VAGUE,
  vaguelyAgo,
  weekdayBefore,
} from './spans.ts';
import type { Rule } from './rule.ts';
import { LETTER, unitIn, words } from './rule.ts';
import { NUMBER, numberNamed, unitGroups, WEEKDAY, weekdayNamed } from './words.ts';

/** How a language speaks of the days around today. N stands for a number, U for a unit, W for a weekday. */
interface Language {
  name: string;
  today: string;
  yesterday: string;
  dayBefore: string;
  tomorrow?: string; // left out where the word also means "morning"
  units: string;
  ago: string;
  couple?: string;
  few: string;
  lastN: string;
  lastWeek: string;
  lastMonth: string;
  lastYear: string;
  lastWeekend: string;
  lastWeekday: string;
  thisWeek: string;
  thisMonth: string;
  thisYear: string;
  thisWeekend: string;
  not?: RegExp; // a question like this is in another language
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'Spanish',
    today: 'hoy',
    yesterday: 'ayer',
    dayBefore: 'anteayer|antier|antes de ayer',
    units: unitGroups({ day: 'd[ií]as?', week: 'semanas?', month: 'mes(?:es)?', year: 'años?' }),
    ago: 'hace N U',
    couple: 'un par de',
    few: '(?:unos|unas|algunos|algunas|pocos|pocas)(?: pocos| pocas)?',
    lastN: '(?:[uú]ltim[oa]s|pasad[oa]s) N U',
    lastWeek: 'semana pasada|pasada semana|[uú]ltima semana',
    lastMonth: 'mes pasado|pasado mes|[uú]ltimo mes',
    lastYear: 'año pasado|pasado año|[uú]ltimo año',
    lastWeekend: '(?:fin de semana|finde) pasado|(?:pasado|[uú]ltimo) (?:fin de semana|finde)',
    lastWeekday: 'W pasado|pasado W',
    thisWeek: 'esta semana',
    thisMonth: 'este mes',
    thisYear: 'este año',
    thisWeekend: 'este (?:fin de semana|finde)',
  },
  {
    name: 'Italian',
    today: 'oggi',
    yesterday: 'ieri',
    dayBefore: "(?:l')?altro ieri|avantieri|altroieri",
    tomorrow: 'domani',
    units: unitGroups({ day: 'giorn[oi]', week: 'settiman[ae]', month: 'mes[ei]', year: 'ann[oi]' }),
    ago: 'N U fa',
    couple: "(?:un )?paio (?:di|d')",
    few: 'alcuni|alcune|qualche|pochi|poche',
    lastN: 'ultim[ie] N U',
    lastWeek: '(?:settimana (?:scorsa|passata)|scorsa settimana)',
    lastMonth: '(?:mese (?:scorso|passato)|scorso mese)',
    lastYear: '(?:anno (?:scorso|passato)|scorso anno)',
    lastWeekend: '(?:week-?end|fine settimana) (?:scorso|passato)|scorso (?:week-?end|fine settimana)',
    lastWeekday: 'W scors[oa]|scors[oa] W',
    thisWeek: 'questa settimana',
    thisMonth: 'questo mese',
    thisYear: "quest'?anno|questo anno",
    thisWeekend: 'questo (?:week-?end|fine settimana)',
  },
  {
    name: 'German',
    today: 'heute',
    yesterday: 'gestern',
    dayBefore: 'vorgestern',
    units: unitGroups({
      day: 'tag(?:en|e)?',
      week: 'wochen?',
      month: 'monat(?:en|e)?',
      year: 'jahr(?:en|e)?',
    }),
    ago: 'vor N U',
    few: '(?:ein )?paar|einigen|wenigen|mehreren',
    lastN: '(?:letzten|vergangenen) N U',
    lastWeek: '(?:letzte|vergangene|vorige)[nr]? woche',
    lastMonth: '(?:letzte|vergangene|vorige)[nrsm]? monats?',
    lastYear: '(?:letzte|vergangene|vorige)[nsm]? jahre?s?',
    lastWeekend: '(?:letzte|vergangene|vorige)[nsm]? wochenende',
    lastWeekday: '(?:letzte|vergangene|vorige)[nm] W',
    thisWeek: 'diese[r]? woche',
    thisMonth: 'diese[nsmr] monats?',
    thisYear: 'diese[snm] jahre?s?',
    thisWeekend: 'diese[sm] wochenende',
  },
  {
    name: 'French',
    today: "aujourd'?hui",
    yesterday: 'hier',
    dayBefore: 'avant[\\-\\x20]hier',
    tomorrow: 'demain',
    units: unitGroups({ day: 'jours?', week: 'semaines?', month: 'mois', year: 'ans?|années?' }),
    ago: 'il y a N U',
    couple: 'une paire de',
    few: 'quelques',
    lastN: 'N (?:derniers|derni[eè]res) U',
    lastWeek: 'semaine (?:derni[eè]re|pass[eé]e)',
    lastMonth: 'mois (?:dernier|pass[eé])',
    lastYear: 'an dernier|an pass[eé]|ann[eé]e (?:derni[eè]re|pass[eé]e)',
    lastWeekend: 'week-?end (?:dernier|pass[eé])',
    lastWeekday: 'W (?:dernier|pass[eé])',
    thisWeek: 'cette semaine',
    thisMonth: 'ce mois(?:-ci)?',
    thisYear: 'cette ann[eé]e',
    thisWeekend: 'ce week-?end',
    // German "hier" is "here".
    not: new RegExp(
      `(?<!${LETTER})(?:was|ist|sind|wie|wo|wer|und|wir|ich|nicht|der|die|das|den|dem|ein|eine|einen|gibt|haben|habe|hat|wurde|mit|im|für|warum|welche[rs]?|steht|gerade)(?!${LETTER})`,
    ),
  },
  {
    name: 'Russian',
    today: 'сегодня',
    yesterday: 'вчера',
    dayBefore: 'позавчера',
    tomorrow: 'завтра',
    units: unitGroups({
      day: 'день|дня|дней',
      week: 'неделю|недели|недель',
      month: 'месяц(?:а|ев)?',
      year: 'год|года|лет',
    }),
    ago: '(?:N )?U назад',
    couple: 'пар[уы]',
    few: 'несколько|нескольких',
    lastN: 'последни[ех] N U',
    lastWeek: 'прошл(?:ая|ой|ую) недел[яеюи]',
    lastMonth: 'прошл(?:ый|ом|ого) месяц[еа]?',
    lastYear: 'прошл(?:ый|ом|ого) год[уа]?',
    lastWeekend: 'прошл(?:ые|ых) выходны[ех]',
    lastWeekday: 'прошл(?:ый|ую|ое) W',
    thisWeek: 'эт(?:а|ой|у) недел[яеюи]',
    thisMonth: 'эт(?:от|ом|ого) месяц[еа]?',
    thisYear: 'эт(?:от|ом|ого) год[уа]?',
    thisWeekend: 'эти(?:х)? выходны[ех]',
  },
  {
    name: 'Portuguese',
    today: 'hoje',
    yesterday: 'ontem',
    dayBefore: 'anteontem|antes de ontem',
    units: unitGroups({ day: 'dias?', week: 'semanas?', month: 'm[eê]s(?:es)?', year: 'anos?' }),
    ago: '(?:h[aá] N U(?: atr[aá]s)?|N U atr[aá]s)',
    couple: 'um par de',
    few: 'alguns|algumas|poucos|poucas',
    lastN: '[uú]ltim[oa]s N U',
    lastWeek: 'semana passada|[uú]ltima semana',
    lastMonth: 'm[eê]s passado|[uú]ltimo m[eê]s',
    lastYear: 'ano passado|[uú]ltimo ano',
    lastWeekend: 'fim de semana passado|[uú]ltimo fim de semana',
    lastWeekday: 'W passad[oa]|[uú]ltim[oa] W',
    thisWeek: '(?:n?esta|n?essa) semana',
    thisMonth: 'n?este m[eê]s',
    thisYear: 'n?este ano',
    thisWeekend: 'n?este fim de semana',
  },
  {
    name: 'Dutch',
    today: 'vandaag',
    yesterday: 'gisteren',
    dayBefore: 'eergisteren',
    units: unitGroups({
      day: 'dag(?:en)?',
      week: 'we(?:ek|ken)',
      month: 'maand(?:en)?',
      year: 'ja(?:ar|ren)',
    }),
    ago: 'N U geleden',
    few: '(?:een )?paar|enkele',
    lastN: '(?:afgelopen|laatste) N U',
    lastWeek: '(?:vorige|afgelopen) week',
    lastMonth: '(?:vorige|afgelopen) maand',
    lastYear: '(?:vorig|afgelopen) jaar',
    lastWeekend: '(?:vorig|afgelopen) weekend',
    lastWeekday: '(?:vorige|afgelopen) W',
    thisWeek: 'deze week',
    thisMonth: 'deze maand',
    thisYear: 'dit jaar',
    thisWeekend: 'dit weekend',
  },
];

const fill = (template: string, units: string, number: string): RegExp =>
  words(template.replaceAll('U', units).replaceAll('N', number));

function rulesOf(language: Language): Rule[] {
  const { name, units } = language;
  const rule = (
    meaning: string,
    pattern: RegExp,
    confidence: Rule['confidence'],
    resolve: Rule['resolve'],
  ): Rule => ({
    name: `${meaning} in ${name}`,
    doc: `The ${name} for "${meaning}".`,
    pattern,
    confidence,
    resolve,
    ...(language.not && { unless: language.not }),
  });
  const number = `(?<number>${NUMBER})`;
  const weekday = `(?<weekday>${WEEKDAY})`;
  return [
    rule('the day before yesterday', words(language.dayBefore), 0.9, (_, { today }) => single(today - 2)),
    rule('yesterday', words(language.yesterday), 0.9, (_, { today }) => single(today - 1)),
    rule('today', words(language.today), 0.9, (_, { today }) => single(today)),
    rule(
      'a few ago',
      fill(
        language.ago.replace('(?:N )?', 'N '),
        units,
        `(?:${language.couple ? `(?<couple>${language.couple})|` : ''}${language.few})`,
      ),
      0.6,
      (found, { today }) =>
        vaguelyAgo(today, found.couple === undefined ? VAGUE.few : VAGUE.couple, unitIn(found)),
    ),
    rule('ago', fill(language.ago, units, number), agoConfidence, (found, { today }) =>
      away(today, -numberNamed(found.number ?? '1'), unitIn(found)),
    ),
    rule('the last N', fill(language.lastN, units, number), 0.8, (found, { today }) =>
      rolling(today, numberNamed(found.number ?? ''), unitIn(found)),
    ),
    rule('last weekend', words(language.lastWeekend), 0.9, (_, { today }) => lastWeekend(today)),
    rule('this weekend', words(language.thisWeekend), 0.9, (_, { today }) => thisWeekend(today)),
    rule('last weekday', words(language.lastWeekday.replaceAll('W', weekday)), 0.9, (found, { today }) =>
      weekdayBefore(today, weekdayNamed(found.weekday ?? '')),
    ),
    rule('last week', words(language.lastWeek), 0.9, (_, { today }) => period('week', today, -1)),
    rule('last month', words(language.lastMonth), 0.9, (_, { today }) => period('month', today, -1)),
    rule('last year', words(language.lastYear), 0.9, (_, { today }) => period('year', today, -1)),
    rule('this week', words(language.thisWeek), 0.9, (_, { today }) => period('week', today, 0)),
    rule('this month', words(language.thisMonth), 0.9, (_, { today }) => period('month', today, 0)),
    rule('this year', words(language.thisYear), 0.9, (_, { today }) => period('year', today, 0)),
    ...(language.tomorrow
      ? [rule('tomorrow', words(language.tomorrow), 0.9, (_, { today }) => single(today + 1))]
      : []),
  ];
}

/** The phrases of the languages that are most often asked besides English, as far as they are certain. */
export const OTHER_LANGUAGES: readonly Rule[] = LANGUAGES.flatMap(rulesOf);
