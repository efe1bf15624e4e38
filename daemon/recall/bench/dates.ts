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
  /** Share of all cases that got a range where there is none. */
  wrongRange: number;
}

/** Times in the files name no zone; read as UTC on both sides. They count microseconds, we milliseconds. */
const millis = (timestamp: string) => Date.parse(`${timestamp.slice(0, 23)}Z`);

/** Share of time expressions that are read exactly; null without labelled data. */
export function measureDates(data: string): DateFigures | null {
  const folder = join(data, 'dates');
  if (!existsSync(folder)) return null;
  const cases = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => Cases.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))));
  const judged = cases.map(({ now, query, range }) => {
    const found = parseDates(query, millis(now), 0);
    return {
      exact: range ? found?.start === millis(range[0]) && found.end === millis(range[1]) : found === null,
      wrongRange: range === null && found !== null,
    };
  });
  const share = (holds: (one: (typeof judged)[number]) => boolean) =>
    judged.filter(holds).length / Math.max(1, judged.length);
  return {
    cases: cases.length,
    exact: share(({ exact }) => exact),
    wrongRange: share(({ wrongRange }) => wrongRange),
  };
}
