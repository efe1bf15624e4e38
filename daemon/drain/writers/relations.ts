import type { Entity, Relation } from '#contract/entities.ts';
import { sentences } from '../../text/sentences.ts';
import { type Named, namesIn } from './names-in.ts';

type Edge = Pick<Relation, 'source' | 'target' | 'type' | 'strength'>;

/** Words that tie what stands before them to what stands after. */
interface Tie {
  type: Relation['type'];
  link: RegExp;
  /** How far the two things may stand from the link, in words. */
  before: number;
  after: number;
  /** The thing after the link may be an effect in plain words: "prevents duplicate rows", "broke staging". */
  effect?: 'alone' | 'with its verb' | 'a clause';
}

const tie = (
  type: Relation['type'],
  [before, after]: [number, number],
  links: string[],
  effect?: Tie['effect'],
): Tie => ({
  type,
  link: new RegExp(`\\b(?:${links.join('|')})\\b`, 'gi'),
  before,
  after,
  ...(effect && { effect }),
});

const BREAKING = [
  'breaks?|broke|corrupts?|corrupted|crashe[sd]|leaks|leaked|overwrites|overwrote|duplicates|drops|dropped',
  'takes down|took down|brings down|brought down|loses|lost|deletes|deleted|silently ignores',
];

const TIES: readonly Tie[] = [
  tie('supersedes', [1, 2], ['instead of', 'rather than', 'in place of', 'replaces', 'supersedes'], 'alone'),
  { type: 'supersedes', link: /(?<=[\w)`"]), not(?= )/g, before: 0, after: 2, effect: 'alone' },
  tie('solves', [4, 2], ['fixes', 'solves', 'resolves', 'repairs', 'to (?:fix|solve|resolve)'], 'alone'),
  tie(
    'prevents',
    [4, 2],
    ['prevents', 'avoids', 'stops', 'blocks', 'protects against', 'to (?:prevent|avoid|stop)'],
    'alone',
  ),
  tie('causes', [4, 2], ['causes?', 'caused', 'leads? to', 'led to', 'results? in'], 'alone'),
  { type: 'causes', link: /, so(?= (?!that\b))/g, before: 12, after: 0, effect: 'a clause' },
  { type: 'prevents', link: /, (?:otherwise|or else)(?= )/g, before: 12, after: 0, effect: 'a clause' },
  tie('triggers', [2, 1], ['triggers']),
  tie('causes', [3, 1], BREAKING, 'with its verb'),
  tie('enables', [3, 2], ['enables', 'allows', 'lets', 'makes possible'], 'alone'),
  tie('requires', [3, 3], ['requires', 'needs', 'depends on', 'relies on', 'only works with'], 'alone'),
  tie('caused_by', [10, 6], ['because(?: of)?', 'due to', 'caused by']),
  tie('configures', [2, 1], ['configures', 'sets']),
  tie('uses', [2, 1], ['uses', 'calls', 'imports', 'runs', 'reads', 'writes']),
  tie('part_of', [1, 1], ['lives in', 'belongs (?:in|to)', 'is part of', 'is defined in']),
];

const MOST = 8;
const SAID = 6;
const MERELY_BESIDE = 3;

/** The edges between the things a text names, and to the effects it states; typed only where the words say so (S2). */
export function relationsIn(text: string, entities: readonly Entity[]): Edge[] {
  const found = new Map<string, Edge>();
  for (const sentence of sentences(text)) {
    const named = namesIn(sentence, entities);
    const edges = [...warningIn(sentence, named), ...TIES.flatMap((each) => tied(each, sentence, named))];
    for (const edge of [...edges, ...besides(named)]) {
      const pair = [edge.source, edge.target].toSorted().join('\n');
      if ((found.get(pair)?.strength ?? 0) < edge.strength) found.set(pair, edge);
    }
  }
  return [...found.values()].toSorted((one, other) => other.strength - one.strength).slice(0, MOST);
}

const CLAUSE_END =
  /[;:]|\((?!\))|(?<!\()\)|,\s+(?:so|but|which|while|otherwise|then|when|if|and|as)\b|\s[–—-]\s|\s(?:so that|while|whereas)\s/g;
/** A relation counts only if it is neither denied nor guessed nor asked for. */
const NOT_TOLD =
  /(?:\b(?:not|never|no longer|cannot|nor|neither|may|might|could|would|if|whether|just|only|should|must|unless)|n't)\s+(?:\w+\s+){0,2}$/i;
/** A reason for a rule is no cause of what the rule names. */
const RULES =
  /\b(?:must|should|never|always|do not|don't)\b|^\s*(?:avoid|prefer|keep|use|run|put|write|call|check|set|add|make|parse|pass|test)\b/i;

function tied({ type, link, before, after, effect }: Tie, sentence: string, named: readonly Named[]): Edge[] {
  return [...sentence.matchAll(link)].flatMap((match) => {
    const [from, to] = [match.index, match.index + match[0].length];
    if (named.some(({ start, end }) => start < to && from < end)) return [];
    const clause = clauseAround(sentence, named, from, to);
    const lead = sentence.slice(clause.start, from);
    if (type !== 'supersedes' && NOT_TOLD.test(lead)) return [];
    if ((type === 'caused_by' || (type === 'causes' && effect === 'a clause')) && RULES.test(lead)) return [];
    const reach = /,\s+which\s+$/.test(lead) ? lead.length : before; // the whole clause before
    const subject = nearestBefore(sentence, named, clause.start, from, { type, before: reach, effect });
    const source =
      type === 'caused_by'
        ? ((subject && breakageIn(lead)) ?? subject ?? effectIn(lead, 'a clause'))
        : subject;
    const rest = sentence.slice(to, clause.end);
    if (!/^\s+["'`(]?[\p{L}\p{N}-]/u.test(rest)) return []; // "tool_use blocks, because": a noun
    const target =
      nearestAfter(sentence, named, to, clause.end, after) ??
      (effect && effectIn(rest, effect, effect === 'with its verb' ? match[0] : ''));
    return source && target && source !== target ? [{ source, target, type, strength: SAID }] : [];
  });
}

function clauseAround(
  sentence: string,
  named: readonly Named[],
  from: number,
  to: number,
): { start: number; end: number } {
  const ends = [...sentence.matchAll(CLAUSE_END)].filter(
    ({ index }) => !named.some(({ start, end }) => start < index && index < end),
  );
  const before = ends.filter(({ index, 0: end }) => index + end.length <= from);
  // "x skips the call, which breaks y": what breaks y is told in the clause before.
  const isTold = /,\s+which\s+$/.test(sentence.slice(0, from));
  const last = before.at(isTold ? -2 : -1);
  const next = ends.find(({ index }) => index >= to);
  return { start: last ? last.index + last[0].length : 0, end: next?.index ?? sentence.length };
}

const countWords = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
/** "In x" and "with x" tell where and how, not who. */
const CIRCUMSTANCE =
  /\b(?:in|of|on|at|with|from|for|under|via|through|by|into|like|than|inside|using|between|after|before|without)\s+(?:(?:the|a|an|its|our|their|every|each|all)\s+)?["'(`]*$/i;

/** "When x happens" tells under which condition, not what has a cause. */
const CONDITION = /\b(?:when|if|while|unless|once|until)\b[^,;]*$/i;

const BREAKS = new RegExp(`\\b(?<verb>${BREAKING.join('|')})\\s+(?<effect>.+)$`, 'i');

/** The damage a clause tells of, which is what has a cause: "x loses the trailer because …". */
function breakageIn(lead: string): string | undefined {
  const { verb, effect = '' } = BREAKS.exec(lead)?.groups ?? {};
  return verb && effectIn(effect, 'with its verb', verb);
}

function nearestBefore(
  sentence: string,
  named: readonly Named[],
  start: number,
  link: number,
  { type, before: most, effect }: Pick<Tie, 'type' | 'before'> & { effect: Tie['effect'] | undefined },
): string | undefined {
  const near = named.filter(
    (each) => each.start >= start && each.end <= link && countWords(sentence.slice(each.end, link)) <= most,
  );
  if (type === 'supersedes') return near.at(-1)?.name;
  const able = near.filter((each) => {
    const lead = sentence.slice(start, each.start);
    return !CIRCUMSTANCE.test(lead) && !(type === 'caused_by' && CONDITION.test(lead));
  });
  // A whole clause speaks of what it names first: "connect() ignores the pool, so …".
  return (type === 'caused_by' || effect === 'a clause' ? able[0] : able.at(-1))?.name;
}

const nearestAfter = (sentence: string, named: readonly Named[], link: number, end: number, most: number) =>
  named.find(
    (each) => each.start >= link && each.end <= end && countWords(sentence.slice(link, each.start)) <= most,
  )?.name;

/** Words of a plain effect at most, and where it ends before the clause does. */
const LONGEST = { alone: 5, 'with its verb': 5, 'a clause': 8 } as const;
const EFFECT_ENDS =
  /^(?:in|on|at|with|from|for|by|to|when|while|if|because|as|and|or|but|that|which|who|where|after|before|since|until|unless|so|is|are|was|were|has|have|last|again|once|here|there|anyway|instead|only|even|during|into|than|just|merely)$/i;
const DETERMINER = /^(?:the|a|an|its|our|their|any|all|every|some|both|other|these|those)$/i;
const POINTS =
  /^(?:it|its|this|that|they|them|he|she|we|i|(?:i|we|you|they|it)['’]\w+|him|her|us|you|me|which|if|when|either|using|everything|anything|something|things?|one|how|what|up|no|not|more|do|add|build|pass|use|merge|fetch|run|keep|and|but)$/i;

/** "The early return was" has the verb of what follows. */
const ENDS_OPEN = /^(?:is|are|was|were|be|been|the|a|an|of|to|and|or)$/i;

/** A short effect in plain words; nothing where it only points, or asks for something. */
function effectIn(after: string, kind: keyof typeof LONGEST, verb = ''): string | undefined {
  const [first = '', ...rest] = after.trim().split(/\s+/);
  const words: string[] = [];
  for (const word of DETERMINER.test(first) ? rest : [first, ...rest]) {
    const bare = word.replace(/[.,!?"'`]+$/, '').replace(/^["'`]+/, '');
    if ((kind !== 'a clause' && EFFECT_ENDS.test(bare)) || words.length > LONGEST[kind]) break;
    words.push(bare);
    if (/[.,!?]$/.test(word)) break;
  }
  while (ENDS_OPEN.test(words.at(-1) ?? '')) words.pop();
  const least = kind === 'a clause' ? 2 : 1;
  if (words.length < least || words.length > LONGEST[kind] || POINTS.test(words[0] ?? '')) return undefined;
  return [verb, ...words].filter(Boolean).join(' ').toLowerCase();
}

const FORBIDS = /\b(?:never|don't|do not|must not|mustn't|avoid|stop|without)\b/i;
const CONSEQUENCE = new RegExp(
  `(?:[,;:–—-]\\s+|\\bbecause\\s+)(?:(?:it|that|this|which|otherwise|or)\\s+){0,2}(?:(?:will|would|has|once)\\s+)?(?<verb>${BREAKING.join('|')})\\s+(?<effect>[^;:]+)`,
  'i',
);

/** "Don't change x without y, it broke z": keeping to the rule about x prevents what happened. */
function warningIn(sentence: string, named: readonly Named[]): Edge[] {
  const told = CONSEQUENCE.exec(sentence);
  if (!told || !FORBIDS.test(sentence.slice(0, told.index))) return [];
  const subject = named.find(({ end }) => end <= told.index);
  const effect = effectIn(told.groups?.effect ?? '', 'with its verb', told.groups?.verb);
  return subject && effect
    ? [{ source: subject.name, target: effect, type: 'prevents', strength: SAID + 1 }]
    : [];
}

/** Neighbours in one sentence belong together, however that may be. */
const besides = (named: readonly Named[]): Edge[] =>
  named.slice(1).flatMap(({ name }, index) => {
    const before = named[index]?.name;
    return before && before !== name
      ? [{ source: before, target: name, type: 'relates_to' as const, strength: MERELY_BESIDE }]
      : [];
  });
