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
    'past future steps wonders presents it-object raw verbless bare-subject',
  ].flatMap((ids) => ids.split(' ')),
);
const FORBIDS_OR_DEMANDS =
  /^(?:(?:when|if|before|after|for|in|on|while|with)\b[^,]{3,80}, )?(?:always|never|do not|don['’]t|avoid|prefer|use|keep|follow|ensure|require)\b/i;
const DUTY = /^(?!should\b|after\b|when\b|if\b).*\b(?:must|should|shall)(?:n['’]t)?\b(?! be from\b)/i;
/** "Update the header so that it fits" is a one-off request; "Run the tests before a commit" is a rule. */
const NOT_ONLY_NOW = /\b(?:every|each|any|all|whenever|(?:before|after) an?)\b/i;
/** "Tests use literal values, not patterns" is a habit; said of a case or of one thing, it is a fact. */
const OF_A_CASE = /^(?:the|an?|when|if|after)\b/i;
const TASK = new Set(['task']);
const RULED_TASK = new Set(['ruled-task']);
const CONTRAST = new Set(['contrast']);
const OF_ONE_THING = new Set(['label', 'named-subject']);
const THINKS_ALOUD = /^(?:wondering|why|how|like|in theory|which|we|not sure|same|seems)\b/i;
/** "Commit our changes in two commits, please": a request for the work at hand. */
const AT_HAND =
  /\bplease\b|\b(?:our|my|your|these|those|current) (?:changes|commits?|edits|diff|branch|pr)\b/i;
const EMPHASIS = new Set(['norm', 'lasting', 'contrast', 'rule-verb']);
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
        worth: near(rule.text, rule.from) + INSTRUCTING * countOf(rule.text, EMPHASIS),
      }))
      .toSorted(
        (one, other) =>
          other.worth - one.worth || other.from.signals.proofCount - one.from.signals.proofCount,
      )[0] ?? null
  );
}

const countOf = (text: string, ids: ReadonlySet<string>) =>
  TITLE_CUES.filter(({ id, holds }) => ids.has(id) && Boolean(holds(text))).length;

/** True for a line that says what to do and needs no conversation around it. */
export const isRule = (text: string): boolean =>
  text.length <= LONGEST &&
  !THINKS_ALOUD.test(text) &&
  !AT_HAND.test(text) &&
  countOf(text, SAID_IN_PASSING) === 0 &&
  saysWhatToDo(text);

const saysWhatToDo = (text: string): boolean =>
  FORBIDS_OR_DEMANDS.test(text) ||
  DUTY.test(text) ||
  (countOf(text, RULED_TASK) > 0 && (countOf(text, TASK) === 0 || NOT_ONLY_NOW.test(text))) ||
  (countOf(text, CONTRAST) > 0 && countOf(text, OF_ONE_THING) === 0 && !OF_A_CASE.test(text));

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
