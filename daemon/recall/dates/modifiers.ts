import { LETTER } from './rule.ts';
import { type Day, type Days, DISTANT_PAST } from './calendar.ts';

type Modifier = 'before' | 'until' | 'since' | 'after';

const MODIFIERS: Record<string, Modifier> = {
  before: 'before',
  'prior to': 'before',
  'earlier than': 'before',
  until: 'until',
  till: 'until',
  'up to': 'until',
  'up until': 'until',
  since: 'since',
  starting: 'since',
  'as of': 'since',
  after: 'after',
  'later than': 'after',
};

/**
 * Words that may stand directly before a phrase of time and belong to it. "The day before X" is left alone: it is not
 * all that came before.
 */
const LEAD = new RegExp(
  `(?<!${LETTER})(?:(?<!(?:day|night|week|month|year|shortly|right|just)\\x20{1,3})(?<modifier>${Object.keys(
    MODIFIERS,
  )
    .toSorted((a, b) => b.length - a.length)
    .join('|')})|in|on|from|during|at|over|around|throughout|within)\\x20{1,3}(?:(?:the|in|on)\\x20{1,3})?$`,
);
const THE = new RegExp(`(?<!${LETTER})the\\x20{1,3}$`);
const POSSESSIVE = /^'s(?!\w)/;
const ONWARDS = /^\x20{1,3}(?:onwards?|on(?=\s*(?:$|[.,?!;]))|forwards?)(?!\w)/;
/** Longer than any lead or tail; only so much around the phrase is looked at. */
const NEARBY = 30;

/** The days of a phrase, changed by the words around it. */
export interface Reshaped {
  days: Days;
  from: number; // where the phrase begins, with what leads it
  to: number;
}

export function reshape(text: string, from: number, to: number, days: Days, today: Day): Reshaped {
  const before = text.slice(Math.max(0, from - NEARBY), from);
  const lead = LEAD.exec(before) ?? THE.exec(before);
  const start = from - (lead?.[0].length ?? 0);
  const after = text.slice(to, to + NEARBY);
  const onwards = lead?.[0].startsWith('from') ? ONWARDS.exec(after) : null;
  const tail = onwards ?? POSSESSIVE.exec(after);
  const modifier = onwards ? 'since' : MODIFIERS[lead?.groups?.modifier ?? ''];
  const shaped = modifier ? apply(modifier, days, today) : days;
  // "After today" or "since tomorrow" would end before it starts; the plain days say more than nothing.
  return { days: shaped.first <= shaped.last ? shaped : days, from: start, to: to + (tail?.[0].length ?? 0) };
}

function apply(modifier: Modifier, { first, last }: Days, today: Day): Days {
  if (modifier === 'before') return { first: DISTANT_PAST, last: first - 1 };
  if (modifier === 'until') return { first: DISTANT_PAST, last };
  return { first: modifier === 'since' ? first : last + 1, last: today };
}
