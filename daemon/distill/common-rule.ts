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
const SAID_IN_PASSING = new Set(
  [
    'question cut fragment narration report chat no-subject points-first first-person second-person hedge one-off',
    'numbered command-pair pinpoint counts scenario cast demonstrative points elliptic unfinished participle state',
    'past steps wonders presents it-object raw verbless bare-subject',
  ].flatMap((ids) => ids.split(' ')),
);
const SAYS_WHAT_TO_DO = new Set(['norm', 'lasting', 'contrast', 'rule-verb']);
/** "Fix the header" is an errand; "Run the tests before a commit" begins alike and is none. */
const ERRAND = new Set(['task']);
const HOLDS_ALWAYS = new Set([...SAYS_WHAT_TO_DO, 'condition', 'reason', 'ruled-task']);
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
  countOf(text, SAID_IN_PASSING) === 0 &&
  (countOf(text, ERRAND) === 0 || countOf(text, HOLDS_ALWAYS) > 0);

/** The ways a learning says its rule, freed from their ties to a conversation and told as an instruction. */
const wordingsOf = ({ title, rule }: Learning): string[] =>
  [...new Set([title, rule, ...sentences(rule)].map((text) => instruction(asRule(text.trim()))))].filter(
    Boolean,
  );

const OUR_HABIT =
  /^(?:(?:here|in (?:this|our) (?:repo(?:sitory)?|project|codebase)),? )?we (?:always |usually |generally |do )?(?=(?:not|use|run|keep|write|store|put|name|prefer|avoid|follow|build|test|commit|deploy|pin|mock|wrap|log)\b)/i;

const OUR_DUTY =
  /^(?:(?:here|in (?:this|our) (?:repo(?:sitory)?|project|codebase)),? )?(?:we|you|one) (?:always )?(?:should|must|need to|have to|ought to) (?!be\b|have\b)(?:always )?/i;

/** "We use pnpm" is the habit, and "you must use pnpm" the duty, that "Use pnpm" asks for. */
function instruction(text: string): string {
  const rule = text.replace(OUR_HABIT, '').replace(OUR_DUTY, '').replace(/^not /i, 'Do not ');
  return rule.charAt(0).toUpperCase() + rule.slice(1);
}
