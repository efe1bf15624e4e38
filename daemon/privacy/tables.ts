import type { Span } from './named.ts';
import { isPlaceholder } from './rule.ts';
import { strengthOf } from './strength.ts';

const PASSWORD = 'pass(?:word|wort|wd|phrase)|pwd?|kennwort|mdp|senha|contraseña';
const NAME = `(?:(?:[a-z]{1,12}[ _-]){0,2}(?:${PASSWORD}|pass|secret|token|(?:api|access)[ _-]?key))`;
const IS_PASSWORD = new RegExp(`^(?:[a-z]{1,12}[ _-]){0,2}(?:${PASSWORD})`, 'i');
/** Quick to look for: most texts have no such column. */
const COLUMN =
  /(?:pass|word|wort|wd|phrase|pwd?|mdp|senha|seña|secret|token|key) ?"?[|,;\t\n]|(?:pass|word|key|token)$/;

/** `| host | user | password |` or `user,password`: the head of a table, and its lines. */
const TABLE = new RegExp(
  String.raw`^(?=.*[|,;\t])(?<head>(?<before>(?:.{0,200}[|,;\t])?[ "]{0,3})(?<name>${NAME})[ "]{0,3}(?=[|,;\t]|$).*)\n(?:[-+ ]{3,}\n)?(?<lines>(?:.*[|,;\t].*(?:\n|$)){1,50})`,
  'gim',
);
const LONGEST_NAME = 24; // of a column; a longer one is part of a sentence

/** The values in a column that is headed by a word for a secret. The text comes once more in small letters. */
export function tableSecrets(text: string, small: string): Span[] {
  if (!COLUMN.test(small)) return [];
  return [...text.matchAll(TABLE)].flatMap(({ 0: table, groups, index }) => {
    const { head = '', before = '', name = '', lines = '' } = groups ?? {};
    const [separator = ','] = /[|,;\t]/.exec(`${before}|`) ?? [];
    const names = head.split(separator);
    if (/[,;]/.test(separator) && names.some((each) => each.trim().length > LONGEST_NAME)) return [];
    const column = before.split(separator).length - 1;
    let at = index + table.length - lines.length;
    return lines.split('\n').flatMap((line) => {
      const cells = line.split(separator);
      const begin = at + cells.slice(0, column).reduce((sum, cell) => sum + cell.length + 1, 0);
      at += line.length + 1;
      const value = cells[column]?.trim().replaceAll('"', '') ?? '';
      const start = text.indexOf(value, begin);
      return cells.length === names.length && isSecret(value, name)
        ? [{ start, end: start + value.length }]
        : [];
    });
  });
}

/** A password may be any word that no prose has. */
const isSecret = (value: string, name: string): boolean =>
  value !== '' &&
  !isPlaceholder(value) &&
  ((IS_PASSWORD.test(name) && /^(?=.*[\d\p{P}])(?!-+$)\S{4,}$/u.test(value)) || strengthOf(value) !== 'none');
