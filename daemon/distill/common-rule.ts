import type { Learning } from '#contract/entities.ts';
import { TITLE_CUES } from '../drain/title-cues.ts';
import { asRule } from '../drain/writers/rule.ts';
import { sentences } from '../text/sentences.ts';
import { jaccard } from '../text/similarity.ts';
import { wordsOf } from './clusters.ts';

/** The rule that speaks for several learnings, in the words of one of them, so that nothing is invented. */
export interface CommonRule {
  text: string;
  from: Learning;
}

/** Cues of a line that was said in a conversation and is no rule without it. */
const SAID_IN_PASSING = new Set([
  ...['question', 'cut', 'fragment', 'narration', 'report', 'chat', 'no-subject', 'points-first'],
  ...['first-person', 'second-person', 'hedge', 'one-off', 'numbered', 'command-pair', 'pinpoint', 'counts'],
  ...[
    'scenario',
    'cast',
    'demonstrative',
    'points',
    'elliptic',
    'unfinished',
    'participle',
    'state',
    'past',
    'steps',
  ],
]);
const SAYS_WHAT_TO_DO = new Set(['norm', 'lasting', 'contrast', 'rule-verb']);
const THINKS_ALOUD = /^(?:wondering|why|how|like|in theory|which|we|not sure|same|seems)\b/i;
/** "Commit our changes in two commits, please": a request for the work at hand. */
const AT_HAND =
  /\bplease\b|\b(?:our|my|your|these|those|current) (?:changes|commits?|edits|diff|branch|pr)\b/i;
const INSTRUCTING = 0.1; // per cue; decides between wordings that are about equally near to all
const LONGEST = 200; // characters

/** The wording of these learnings that is a rule and nearest to all of them; null where none of them says one. */
export function commonRule(members: readonly Learning[]): CommonRule | null {
  const words = members.map(({ title, tags }) => wordsOf(title, tags));
  const near = (text: string, { tags }: Learning) => {
    const own = wordsOf(text, tags);
    return words.reduce((sum, other) => sum + jaccard(own, other), 0) / Math.max(1, words.length);
  };
  return (
    members
      .flatMap((from) => wordingsOf(from).map((text) => ({ text, from })))
      .filter(({ text }) => isRule(text))
      .map((rule) => ({
        ...rule,
        worth: near(rule.text, rule.from) + INSTRUCTING * countOf(rule.text, SAYS_WHAT_TO_DO),
      }))
      .toSorted(
        (one, other) =>
          other.worth - one.worth || other.from.signals.proofCount - one.from.signals.proofCount,
      )[0] ?? null
  );
}

const countOf = (text: string, ids: ReadonlySet<string>) =>
  TITLE_CUES.filter(({ id, holds }) => ids.has(id) && Boolean(holds(text))).length;

/** True for a line that needs no conversation around it. */
export const isRule = (text: string): boolean =>
  text.length <= LONGEST &&
  !THINKS_ALOUD.test(text) &&
  !AT_HAND.test(text) &&
  countOf(text, SAID_IN_PASSING) === 0;

/** The ways a learning says its rule, freed from their ties to a conversation. */
const wordingsOf = ({ title, rule }: Learning): string[] =>
  [...new Set([title, rule, ...sentences(rule)].map((text) => asRule(text.trim())))].filter(Boolean);
