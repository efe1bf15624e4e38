import type { Days, Moment, Unit } from './calendar.ts';

/** The texts that the named groups of a pattern matched. */
export type Found = Record<string, string | undefined>;

/** One way to speak of time. */
export interface Rule {
  name: string;
  doc: string; // what it means, with an example
  pattern: RegExp; // over the folded question: lower case, plain digits, plain spaces
  confidence: number | ((found: Found) => number);
  resolve(found: Found, moment: Moment): Days | undefined; // nothing when the calendar has no such days
  newest?: true; // it names what returns each week or year; as the start of a range, the newest before its end
  unless?: RegExp; // a question like this means something else by these words
}

/**
 * A character of a word. Chinese and Japanese set no spaces, so theirs do not count as part of a neighbouring word.
 * A range and not \p{L}: with the Unicode classes, compiling the rules took 0.6 s.
 */
export const LETTER = '[\\w\\u00c0-\\u1fff]';
/** Not inside a word, identifier, version, address, path, flag or link. */
const LEFT = `(?<!${LETTER})(?<!${LETTER}[\\-.\\/\\\\:@=&?%])(?<![\\/\\\\#@$~\\{])`;
const RIGHT = `(?!${LETTER})(?![\\-.:@=&]${LETTER})(?![\\/\\\\\\(])`;

/** A pattern of whole words; a space stands for up to three. Repetitions are bounded, so no text takes long. */
export const words = (source: string): RegExp =>
  new RegExp(`${LEFT}(?:${source.replaceAll(' ', '\\x20{1,3}')})${RIGHT}`, 'g');

/** A pattern for scripts without spaces. */
export const signs = (source: string): RegExp => new RegExp(source, 'g');

export function unitIn(found: Found): Unit {
  if (found.day !== undefined) return 'day';
  if (found.week !== undefined) return 'week';
  return found.month === undefined ? 'year' : 'month';
}
