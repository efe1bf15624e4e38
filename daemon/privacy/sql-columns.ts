import type { Span } from './named.ts';
import { isPlaceholder } from './rule.ts';

/** `INSERT INTO users (name, password) VALUES ('ann', 'x'), …` and `COPY users (name, password) FROM stdin; …` */
const ROWS =
  /\b(?:insert\s{1,3}(?:ignore\s{1,3})?into|copy)\s{1,3}[\w."`]{1,80}\s{0,3}\((?<columns>[^()]{1,400})\)\s{0,3}(?:values\s{0,3}(?<tuples>\([^\n;]{1,4000})|from stdin;\n(?<lines>(?:.{1,400}\n?){1,50}))/gi;
const IS_SECRET = /(?:pass(?:word|wd|phrase)?\d?|token|secret|api_?key|private_?key|^key)["`]?$/i;
const TUPLE = /\(((?:'(?:[^'\\]|\\.|'')*'|[^()'])*)\)/g;
const CELL = /'((?:[^'\\]|\\.|'')*)'|[^,'\s][^,']*/g;

/** The values of columns that are named like secrets. */
export function sqlSecrets(text: string, small: string): Span[] {
  if (!small.includes('insert ') && !small.includes('from stdin')) return [];
  return [...text.matchAll(ROWS)].flatMap(({ 0: whole, groups, index }) => {
    const { columns = '', tuples, lines = '' } = groups ?? {};
    const secret = columns.split(',').flatMap((name, at) => (IS_SECRET.test(name.trim()) ? [at] : []));
    if (secret.length === 0) return [];
    const begin = index + whole.length - (tuples ?? lines).length;
    const rows = tuples === undefined ? cellsOfLines(lines) : cellsOfTuples(tuples);
    return rows.flatMap((cells) =>
      secret.flatMap((column) => {
        const { value = '', at = 0 } = cells[column] ?? {};
        return value.length >= 4 &&
          !isPlaceholder(value) &&
          !/^(?:null|default|\?|[$:@]\w+|\\N)$/i.test(value)
          ? [{ start: begin + at, end: begin + at + value.length }]
          : [];
      }),
    );
  });
}

interface Cell {
  value: string;
  at: number;
}

const cellsOfTuples = (tuples: string): Cell[][] =>
  Array.from(tuples.matchAll(TUPLE), ({ 1: row = '', index }) =>
    Array.from(row.matchAll(CELL), ({ 0: cell, 1: quoted, index: at }) => ({
      // A value without quotes is a number, a parameter or a call.
      value: quoted ?? '',
      at: index + 1 + at + (cell.startsWith("'") ? 1 : 0),
    })),
  );

function cellsOfLines(lines: string): Cell[][] {
  let at = 0;
  return lines.split('\n').map((line) => {
    const cells = line.split('\t').map((value) => {
      const cell = { value, at };
      at += value.length + 1;
      return cell;
    });
    return cells;
  });
}
