import type { Cue } from './cue.ts';
import type { FindingMoment } from './finding-moments.ts';
import { anyOf, FOUND, NAMES_CAUSE, narrates } from './wording.ts';

type FindingCue = Cue<FindingMoment>;

const says = (id: string, why: string, prior: number, ...patterns: RegExp[]): FindingCue => ({
  id,
  why,
  prior,
  holds: ({ text }) => anyOf(...patterns)(text),
});
const states = (id: string, why: string, prior: number, ...patterns: RegExp[]): FindingCue => ({
  id,
  why,
  prior,
  holds: ({ head }) => anyOf(...patterns)(head.toLowerCase()),
});

const leadsToFix = anyOf(
  /\b(?:let me (?:fix|revert|move|update|remove|add|implement|change)|the fix|fix (?:is|this))/,
  /\b(?:i'll (?:fix|remove|add|move|revert|patch)|i'm (?:adding|reverting|removing|patching))/,
);

/** Cues that an agent's statement is worth keeping: it names a concrete cause or limit, and something led to it. */
export const FINDING_CUES: readonly FindingCue[] = [
  { id: 'empty', why: 'states nothing', prior: -2.5, holds: ({ head }) => head === '' },
  {
    id: 'only-narration',
    why: 'only tells what comes next',
    prior: -1.5,
    holds: ({ text, head }) => narrates(text) && head === '',
  },
  {
    id: 'narration',
    why: 'begins by telling what comes next',
    prior: -0.6,
    holds: ({ text }) => narrates(text),
  },
  says('found', 'found something', 1.6, ...FOUND),
  says('cause', 'names the cause', 0.8, ...NAMES_CAUSE),
  states(
    'because',
    'says because of what',
    0.5,
    /\b(?:because|since|causing|causes|due to|which means|so (?:the|it|that|when)|therefore|hence|otherwise)\b/,
  ),
  states(
    'does-not-work',
    'says what does not work',
    0.5,
    /\b(?:doesn't|does not|don't|do not|didn't|isn't|is not|can't|cannot|won't|never|no longer|no way)\b/,
    /\b(?:missing|lacks?|without|undefined|unreachable|unsupported|stale)\b/,
    /\b(?:fails?|failed|conflicts?|rejects?)\b/,
  ),
  states(
    'requirement',
    'says what is required',
    0.4,
    /\b(?:needs? to be|must|required?|requires|has to|have to|there is no)\b/,
    /\b(?:supports?|validates|expects|allows|available)\b/,
    /\bonly (?:loads|works|has|supports|accepts|reads|includes)\b/,
  ),
  says(
    'mistake',
    'admits a mistake',
    0.9,
    /\b(?:my (?:mistake|bad|error)|accidentally|mistakenly|unnecessary)\b/,
    /\bi (?:introduced|tried|missed|forgot|used|was wrong|wrongly|should have|could have)\b/,
  ),
  {
    id: 'fix',
    why: 'leads to a fix',
    prior: 0.5,
    holds: ({ text, head }) => head !== '' && leadsToFix(text),
  },
  {
    id: 'code',
    why: 'names code',
    prior: 0.6,
    holds: ({ head }) => Math.min(3, (head.match(/`[^`]+`/g) ?? []).length) / 3,
  },
  { id: 'emphasis', why: 'stresses it', prior: 0, holds: ({ head }) => /\*\*[^*]+\*\*/.test(head) },
  says(
    'guess',
    'is a guess',
    -0.4,
    /\b(?:maybe|might|could be|probably|perhaps|possibly|seems|appears|let me (?:verify|confirm|check if))\b/,
  ),
  {
    id: 'reason-in-code',
    why: 'gives a reason that names code',
    prior: 0.5,
    holds: ({ reasons }) => reasons.some((reason) => reason.includes('`')),
  },
  {
    id: 'answers-person',
    why: 'answers a question of the person',
    prior: 0,
    holds: ({ answers }) => answers,
  },
  { id: 'after-failure', why: 'follows a failure', prior: 0.6, holds: ({ afterFailure }) => afterFailure },
  {
    id: 'failure-in-turn',
    why: 'something failed before',
    prior: 0.2,
    holds: ({ failureInTurn }) => failureInTurn,
  },
  {
    id: 'ends-turn-after-pass',
    why: 'ends the turn in which a failing command came to pass',
    prior: 0.8,
    holds: ({ lastOfTurn, afterPass }) => lastOfTurn && afterPass,
  },
  { id: 'opens-turn', why: 'opens the turn', prior: 0, holds: ({ firstOfTurn }) => firstOfTurn },
  { id: 'last-of-turn', why: 'is the last word', prior: 0, holds: ({ lastOfTurn }) => lastOfTurn },
  {
    id: 'medium-length',
    why: 'is of some length',
    prior: 0,
    holds: ({ reply }) => reply.text.length > 500 && reply.text.length <= 1_500,
  },
  { id: 'long', why: 'is long', prior: 0, holds: ({ reply }) => reply.text.length > 1_500 },
  { id: 'very-short', why: 'is very short', prior: -1, holds: ({ reply }) => reply.text.length < 60 },
  says('ends-in-question', 'ends in a question', -0.3, /\?$/),
];
