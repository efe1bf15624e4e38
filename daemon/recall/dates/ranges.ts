import type { Days, Moment } from './calendar.ts';
import { isSpan } from './calendar.ts';
import type { Found, Rule } from './rule.ts';

/** A phrase of time at its place in the question. */
export interface Anchor {
  rule: Rule;
  from: number;
  to: number;
  found: Found;
}

export interface Span {
  days: Days;
  confidence: number;
  from: number;
  to: number;
}

const OPENER = /(?<!\w)(?<opener>from|between)\x20{1,3}(?:the\x20{1,3})?$/;
const CONNECTOR =
  /^(?:\x20{1,3}(?<word>to|and|until|till|through|thru|up\x20to)\x20{1,3}(?:the\x20{1,3})?|\x20{0,3}(?:–|—|\.\.\.?|~|到|至)\x20{0,3}|\x20-\x20)/;
/** Longer than any opener or connector; only so much around a phrase is looked at. */
const NEARBY = 20;

export function* anchorsOf(text: string, rules: readonly Rule[]): Generator<Anchor> {
  for (const rule of rules) {
    if (text.search(rule.pattern) < 0 || rule.unless?.test(text)) continue; // most find nothing
    for (const match of text.matchAll(rule.pattern))
      yield { rule, from: match.index, to: match.index + match[0].length, found: match.groups ?? {} };
  }
}

export const confidenceOf = ({ rule, found }: Anchor): number =>
  typeof rule.confidence === 'number' ? rule.confidence : rule.confidence(found);

/** "From X to Y", "between X and Y", "X – Y": from the start of the one to the end of the other. */
export function rangeIn(
  text: string,
  moment: Moment,
  starts: readonly Anchor[],
  ends: readonly Anchor[],
): Span | undefined {
  const anchors = [...starts, ...ends].toSorted((a, b) => a.from - b.from || b.to - a.to);
  const longestAt = new Map<number, Anchor>();
  for (const anchor of anchors) if (!longestAt.has(anchor.from)) longestAt.set(anchor.from, anchor);

  for (const start of longestAt.values()) {
    const opener = OPENER.exec(text.slice(Math.max(0, start.from - NEARBY), start.from));
    const connector = CONNECTOR.exec(text.slice(start.to, start.to + NEARBY));
    const end = connector && longestAt.get(start.to + connector[0].length);
    if (!end || (connector.groups?.word === 'and' && opener?.groups?.opener !== 'between')) continue;
    if (!opener && (ends.includes(start) || ends.includes(end))) continue;
    const days = join(start, end, moment);
    if (days)
      return {
        days,
        confidence: Math.min(confidenceOf(start), confidenceOf(end)),
        from: start.from - (opener?.[0].length ?? 0),
        to: end.to,
      };
  }
  return undefined;
}

function join(start: Anchor, end: Anchor, moment: Moment): Days | undefined {
  const last = end.rule.resolve(end.found, moment);
  if (!last || !isSpan(last)) return undefined;
  // "From november to january": the november before that january.
  const first = start.rule.resolve(start.found, start.rule.newest ? { ...moment, today: last.last } : moment);
  if (!first || !isSpan(first) || first.first > last.last) return undefined;
  return { first: first.first, last: last.last };
}
