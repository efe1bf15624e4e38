import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { parseDates } from '../dates/parse-dates.ts';

const Cases = z.array(
  z.object({ now: z.string(), query: z.string(), range: z.tuple([z.string(), z.string()]).nullable() }),
);

export interface DateFigures {
  cases: number;
  exact: number;
  /** By script: how many there are, how many are read exactly, and how many exactly or not at all. */
  scripts: Record<string, { cases: number; exact: number; exactOrRefused: number }>;
  /** Share of all cases that got a range where there is none. */
  wrongRange: number;
}

const SCRIPTS: ReadonlyArray<readonly [name: string, letters: RegExp]> = [
  ['Chinese, Japanese, Korean', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Latin', /(?:)/],
];
const scriptOf = (query: string) => SCRIPTS.find(([, letters]) => letters.test(query))?.[0] ?? '';

/** Times in the files name no zone; read as UTC on both sides. They count microseconds, we milliseconds. */
const millis = (timestamp: string) => Date.parse(`${timestamp.slice(0, 23)}Z`);

/** How each labelled question of a file is read. */
export const judgeDates = (file: string | URL) =>
  Cases.parse(JSON.parse(readFileSync(file, 'utf8'))).map(({ now, query, range }) => {
    const found = parseDates(query, millis(now), 0);
    return {
      query,
      refused: found === null,
      exact: range ? found?.start === millis(range[0]) && found.end === millis(range[1]) : found === null,
      wrongRange: range === null && found !== null,
    };
  });

/** Share of time expressions that are read exactly; null without labelled data. */
export function measureDates(data: string): DateFigures | null {
  const folder = join(data, 'dates');
  if (!existsSync(folder)) return null;
  const judged = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => judgeDates(join(folder, file)));
  type Judged = (typeof judged)[number];
  const share = (holds: (one: Judged) => boolean, among = judged) =>
    among.filter(holds).length / Math.max(1, among.length);
  const scripts = SCRIPTS.map(([name]) => {
    const own = judged.filter(({ query }) => scriptOf(query) === name);
    return [
      name,
      {
        cases: own.length,
        exact: share(({ exact }) => exact, own),
        exactOrRefused: share(({ exact, refused }) => exact || refused, own),
      },
    ];
  });
  return {
    cases: judged.length,
    exact: share(({ exact }) => exact),
    scripts: Object.fromEntries(scripts) as DateFigures['scripts'],
    wrongRange: share(({ wrongRange }) => wrongRange),
  };
}
