import { fixedZone, isSpan, machineZone, type Moment } from './calendar.ts';
import { DATES, RANGE_ENDS } from './date-rules.ts';
import { HAN } from './han.ts';
import { KOREAN } from './korean.ts';
import { OTHER_LANGUAGES } from './languages.ts';
import { reshape } from './modifiers.ts';
import { LOOSE_PHRASES, PHRASES, WEAK_PHRASES } from './phrases.ts';
import { type Anchor, anchorsOf, confidenceOf, rangeIn, type Span } from './ranges.ts';
import type { Rule } from './rule.ts';

export interface DateRange {
  start: number; // epoch ms
  end: number; // epoch ms, included
  confidence: number;
  matchedText: string;
}

/** Every way to speak of time, in the order in which they are tried: the first that finds something wins. */
export const RULES: readonly Rule[] = [
  ...PHRASES,
  ...OTHER_LANGUAGES,
  ...HAN,
  ...KOREAN,
  ...DATES,
  ...LOOSE_PHRASES,
  ...WEAK_PHRASES,
];

/** A question is not longer than this; of a pasted file only the beginning is read. */
const MOST_CHARACTERS = 4_000;
const MOST_OFFSET_MINUTES = 24 * 60;
const LATEST_NOW = 8e15; // ms; a little less than the end of what a Date holds

/**
 * Finds the phrase of time in a question, the most certain kind first and of that the first; null when there is none.
 * `now` is epoch ms; days are those of the given UTC offset in minutes (default: the machine's, with its summer time).
 */
export function parseDates(query: string, now: number, utcOffsetMinutes?: number): DateRange | null {
  if (!(Math.abs(now) < LATEST_NOW)) return null;
  if (utcOffsetMinutes !== undefined && !(Math.abs(utcOffsetMinutes) <= MOST_OFFSET_MINUTES)) return null;
  const zone = utcOffsetMinutes === undefined ? machineZone : fixedZone(utcOffsetMinutes);
  const original = query.slice(0, MOST_CHARACTERS).normalize('NFC');
  const text = fold(original);
  const [anchors, ends] = [[...anchorsOf(text, RULES)], [...anchorsOf(text, RANGE_ENDS)]];
  if (anchors.length + ends.length === 0) return null; // as in most questions
  const moment = zone.momentOf(now);
  const strong = anchors.filter(({ rule }) => !WEAK_PHRASES.includes(rule));
  const span = rangeIn(text, moment, strong, ends) ?? firstPhrase(text, moment, anchors);
  if (!span) return null;
  return {
    start: zone.startOf(span.days.first),
    end: zone.startOf(span.days.last + 1) - 1,
    confidence: span.confidence,
    matchedText: original.slice(span.from, span.to),
  };
}

function firstPhrase(text: string, moment: Moment, anchors: readonly Anchor[]): Span | undefined {
  for (const anchor of anchors) {
    const days = anchor.rule.resolve(anchor.found, moment);
    if (days && isSpan(days))
      return {
        confidence: confidenceOf(anchor),
        ...reshape(text, anchor.from, anchor.to, days, moment.today),
      };
  }
  return undefined;
}

/** Lower case, plain digits and spaces, character for character, so that positions stay the same. */
function fold(text: string): string {
  return text
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\s/g, ' ')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\p{Lu}/gu, (letter) =>
      letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
    );
}

/** The question without the phrase of time, for the arms that look for words. */
export function withoutPhrase(query: string, { matchedText }: DateRange): string {
  const text = query.normalize('NFC');
  const at = placeOf(text, matchedText);
  if (at < 0 || matchedText === '') return query;
  const rest = `${text.slice(0, at)} ${text.slice(at + matchedText.length)}`;
  return rest
    .replace(/\s+([?.!,;:])/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:]+|\s+$/g, '');
}

/** Where the phrase stands as words of its own ("may", not the beginning of "maybe"), else where it stands at all. */
function placeOf(text: string, phrase: string): number {
  const isWordPart = (character = '') => /[\p{L}\p{N}_]/u.test(character);
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + phrase.length])) return at;
  }
  return text.indexOf(phrase);
}
