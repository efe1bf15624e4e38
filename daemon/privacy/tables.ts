import type { Span } from './named.ts';
import { strengthOf } from './strength.ts';

const NAME = '(?:pass(?:word|wort|wd)?|passphrase|pwd?|kennwort|secret|token|api[ _-]?key)';
/** Quick to look for: most texts have no such column. */
const COLUMN = new RegExp(`(?:[|,;\\t\\n] ?"?|^)${NAME} ?"?(?:[|,;\\t\\n]|$)`);

/** `| host | user | password |` or `user,password`: the head of a table, and its lines. */
const TABLE = new RegExp(
  String.raw`^(?=.*[|,;\t])((?:.{0,200}[|,;\t])?[ "]{0,3})${NAME}[ "]{0,3}(?=[|,;\t]|$).*\n((?:.*[|,;\t].*(?:\n|$)){1,50})`,
  'gim',
);

/** The values in a column that is headed by a word for a secret. The text comes once more in small letters. */
export function tableSecrets(text: string, small: string): Span[] {
  if (!COLUMN.test(small)) return [];
  return [...text.matchAll(TABLE)].flatMap(({ 0: table, 1: head = '', 2: lines = '', index }) => {
    const [separator = ','] = /[|,;\t]/.exec(`${head}|`) ?? [];
    const column = head.split(separator).length - 1;
    let at = index + table.length - lines.length;
    return lines.split('\n').flatMap((line) => {
      const begin =
        at +
        line
          .split(separator)
          .slice(0, column)
          .reduce((sum, cell) => sum + cell.length + 1, 0);
      at += line.length + 1;
      const value = line.split(separator)[column]?.trim().replaceAll('"', '') ?? '';
      const start = text.indexOf(value, begin);
      return value !== '' && strengthOf(value) !== 'none' ? [{ start, end: start + value.length }] : [];
    });
  });
}
