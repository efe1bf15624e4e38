import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { needs } from '../../testing/needs.ts';
import { judgeDates } from '../bench/dates.ts';

const FILE = new URL('../../../../shared/data/dates/dev.json', import.meta.url);
const missing = existsSync(FILE)
  ? null
  : 'there is no golden file of dates beside the project (shared/data/dates/dev.json)';

const OTHER_LETTERS = /[^\P{L}A-Za-z]/u;
const OTHER_WORDS =
  /\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|\w+iembre|octubre|gennaio|febbraio|aprile|maggio|giugno|luglio|\w+embre|ottobre|januar|februar|mai|juni|juli|oktober|dezember|janvier|mars|avril|juin|juillet|octobre|ayer|hoy|ieri|oggi|hier|heute|gestern|vorgestern|hace|fa|vor|semana|semaine|settimana|woche|mes|mois|mese|monat|jahr|anno|dernier|pasad[oa]|scors[oa]|letzte\w*|diese\w*|quest[oa]|cette)\b/i;
const isEnglish = (query: string) => !OTHER_LETTERS.test(query) && !OTHER_WORDS.test(query);

describe('on the golden file of dates', () => {
  needs(missing);

  const outcomes = missing ? [] : judgeDates(FILE);
  const share = (part: typeof outcomes) => part.filter(({ exact }) => exact).length / part.length;
  const english = outcomes.filter(({ query }) => isEnglish(query));
  const others = outcomes.filter(({ query }) => !isEnglish(query));
  const percent = (value: number) => `${(100 * value).toFixed(2)} %`;

  test('at least 97 % of the English questions are read exactly', () => {
    console.log(
      `Dates: English ${percent(share(english))} of ${english.length}, other languages ${percent(share(others))} of ${others.length}.`,
    );
    expect(share(english)).toBeGreaterThanOrEqual(0.97);
  });

  test('less than 1 % get a range where there is none', () => {
    const wrong = outcomes.filter(({ wrongRange }) => wrongRange).length / outcomes.length;
    console.log(`Dates: a range where there is none in ${percent(wrong)} of ${outcomes.length}.`);
    expect(wrong).toBeLessThan(0.01);
  });

  test('other languages are read better than by giving up', () => expect(share(others)).toBeGreaterThan(0.9));
});
