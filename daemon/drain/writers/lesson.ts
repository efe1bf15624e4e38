import { narrates } from '../../capture/judge/wording.ts';
import { nameEntities } from './mentions.ts';
import { asRule } from './rule.ts';
import { countWords } from '../../text/tokenise.ts';
import { sentences } from '../../text/sentences.ts';
import { containment } from '../../text/similarity.ts';

/** One way of wording what was learned. */
export interface Wording {
  rule: string;
  /** The sentence it was made of. */
  source: string;
  by: 'human' | 'agent';
  weight: number;
}

type Trait = [weight: number, holds: (rule: string) => boolean];
const says = (weight: number, ...patterns: RegExp[]): Trait => [
  weight,
  (rule) => patterns.some((pattern) => pattern.test(rule)),
];

/** Verbs that begin an instruction, and words that make a sentence one. */
const INSTRUCTIONS = [
  "always|never|only|avoid|stop|do not|don't|be|ensure|prefer|keep|leave|treat|follow",
  'use|run|make|add|write|put|move|name|rename|remove|drop|replace|split|break|create|update|apply|wrap',
  'commit|push|pull|rebase|fetch|merge|call|pass|return|include|set|enable|configure|link|file|document|log',
  'check|validate|test|compare|look|read|show|save|store|start|go|try|have|give|think|ask|tell|wait',
].join('|');
const INSTRUCTS = new RegExp(`^(?:${INSTRUCTIONS})\\b`, 'i');

/** Traits of a good title: it says what to do or how things are, concretely, and needs nothing before it. */
const TRAITS: readonly Trait[] = [
  says(2, /\b(?:never|always|must(?: not)?|mustn't)\b/i),
  says(1.5, /\b(?:don't|do not|stop|avoid|should(?: not|n't)?|instead|rather than|only|not as)\b/i),
  says(1.2, INSTRUCTS),
  says(
    1,
    /\b(?:because|since|so that|otherwise|causing|causes|due to|means)\b/i,
    /\b(?:broke|breaks|fails?|rejects?|conflicts?|doesn't|does not|isn't|cannot|can't|won't)\b/i,
  ),
  says(
    0.8,
    /\b(?:requires?|needs? to|has to|supports?|expects|validates|uses)\b/i,
    /\b(?:is (?:called|named)|lives? in|belongs)\b/i,
  ),
  [1, (rule) => nameEntities(rule).length > 0],
  [-1.5, (rule) => rule.endsWith('?')],
  says(-1.2, /^(?:it|this|that|they|these|those|he|she|there)\b/i),
  [-0.6, (rule) => /\b(?:this|that|it|them)\b/i.test(rule) && nameEntities(rule).length === 0],
  [-1.5, (rule) => rule.length < 24],
  [-1, (rule) => rule.length > 220],
  [-1, (rule) => rule.length > 500],
  [-2.5, (rule) => narrates(rule)],
  says(
    -2,
    /^(?:done|fixed|committed|pushed|updated|added|perfect|great|all (?:done|tests))\b/i,
    /^(?:summary|overview|here's|looking (?:at|back))\b/i,
  ),
  says(-1.5, /:$/),
  says(-1, /^(?:i|i've|i'm|i'll)\b/i),
];

const RESTATED = 1.6; // the agent's answer states what the person only asked
const OWN = 1.5; // the person's own words, where they say what to do
const AGENT_WORDS = 5; // fewer say nothing
const RELATED = 0.15; // share of the words; below it the agent speaks of something else

function weigh(rule: string): number {
  return TRAITS.reduce((sum, [weight, holds]) => sum + (holds(rule) ? weight : 0), 0);
}

/** The wordings a text offers, as rules, best first. */
export function wordingsOf(text: string, by: Wording['by']): Wording[] {
  return sentences(text)
    .map((source) => ({ source, rule: asRule(source), by }))
    .filter(({ rule }) => rule.length >= 8)
    .map((wording) => ({ ...wording, weight: weigh(wording.rule) }))
    .sort((one, other) => other.weight - one.weight);
}

/** The best wording of what a person taught: their own, or the agent's answer where they only asked or pointed. */
export function wordLesson(quote: string, answer: string): Wording | null {
  const own = wordingsOf(quote, 'human').map((wording) => ({
    ...wording,
    weight: wording.weight + (instructs(wording) ? OWN : 0.5),
  }));
  const instructsEnough = own.some((wording) => instructs(wording) && countWords(wording.rule) > AGENT_WORDS);
  if (instructsEnough) return best(own);
  const restated = wordingsOf(firstWords(answer), 'agent')
    .filter(
      ({ rule, source }) =>
        !narrates(source) &&
        countWords(rule) > AGENT_WORDS &&
        (/\bshould\b/.test(source) || containment(quote, rule) >= RELATED),
    )
    .map((wording) => ({ ...wording, weight: wording.weight + RESTATED }));
  return best([...own, ...restated]);
}

/** Says what to do, and does not ask. */
const instructs = ({ rule }: Wording) =>
  !rule.endsWith('?') &&
  (INSTRUCTS.test(rule) || /\b(?:never|always|must|don't|do not|instead|rather than)\b/i.test(rule));

/** The best wording of what an agent found. */
export const wordFinding = (statement: string): Wording | null =>
  best(wordingsOf(firstWords(statement, 12), 'agent'));

const best = (wordings: Wording[]): Wording | null =>
  wordings.reduce<Wording | null>(
    (top, wording) => (!top || wording.weight > top.weight ? wording : top),
    null,
  );

/** Where an agent says what it has understood; further on it reports. */
const firstWords = (text: string, count = 4) => sentences(text).slice(0, count).join('\n');
