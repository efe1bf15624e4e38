import type { Note } from '#contract/entities.ts';
import type { Cue } from '../capture/judge/cue.ts';
import { narrates } from '../capture/judge/wording.ts';
import { countWords } from '../text/tokenise.ts';
import type { Material } from './writer.ts';
import { saidByPerson } from './writers/evidence.ts';
import { nameEntities } from './writers/mentions.ts';
import type { Wording } from './writers/wordings.ts';

const says = (id: string, why: string, prior: number, ...patterns: RegExp[]): Cue<string> => ({
  id,
  why,
  prior,
  holds: (text) => patterns.some((pattern) => pattern.test(text)),
});

const POINTS = /\b(?:this|that|it|its|they|them|these|those|here|there|above|below)\b/i;
const POINTS_FIRST =
  /^(?:it|its|this|that|they|these|those|he|she|there|here|same|both|the (?:first|second|last|other|above))\b/i;
/** Verbs that begin an errand rather than a rule. */
const TASK_VERBS = [
  'show|commit|push|pull|run|check|look|see|tell|give|continue|try|open|read|fix|revert|merge|explain|update',
  'add|create|make|write|remove|rename|move|generate|propose|have|change|do|go|get|put|apply|review|summari[sz]e',
  'figure|find|confirm|validate|log|note|start|stop|take|work|comment|reply|simplify|modify|switch|break|reduce',
].join('|');
/** How a report of work begins. */
const DONE = [
  'fixed|added|updated|committed|pushed|removed|created|replaced|kept|populated|captured|switched|moved|changed',
  'introduced|filed|documented|focusing|using|showing|diagnosed|implemented|reverted|merged|renamed|consolidated',
].join('|');
const BARE_NOUNS = [
  'issue|problem|bug|fix|cause|change|changes|test|tests|function|method|file|files|code|output|merge|conflicts?',
  'error|failure|failures|comment|comments|logic|approach|solution|diagnostics|edit|number|variable|user|plan',
].join('|');
/** "The test fails…": a reader cannot know which one. */
const BARE_SUBJECT = new RegExp(`^the (?:\\w+ )?(?:${BARE_NOUNS}) (?!\`)`, 'i');
const namesNothing = (text: string) => nameEntities(text).length === 0;
const DECIDED = /\? → \S/;
const asks = (text: string) => /[\p{L}\p{N}`)\]][?？]+(?:\s|$)/u.test(text) && !DECIDED.test(text);
/** "Always creates…", "Isn't in…", "Calls…": a predicate without its subject. */
const NO_SUBJECT =
  /^(?:is|isn't|was|wasn't|are|does|doesn't|has|hasn't|will|(?:always|never|only|just|also|still) \w+s|calls|uses|used|creates|prints|reads|writes|compares|defaults|returns|which|and|or|but|so|then)\b/i;

/** Cues of a sentence that a stranger understands a month later: its form first, its words last. */
export const TITLE_CUES: ReadonlyArray<Cue<string>> = [
  { id: 'question', why: 'asks', prior: -2.5, holds: asks },
  { id: 'cut', why: 'is cut off', prior: -1.5, holds: (text) => text.endsWith('…') },
  says(
    'fragment',
    'breaks off',
    -1.5,
    /\b(?:in|with|was|were|to|the|an?|of|and|or|at|for|by|is|are|that|because|which|from|either|like)[.,:]?$/i,
    /[,:;(—-]$/,
  ),
  says('decided', 'is a question with its answer', 2, DECIDED),
  {
    id: 'steps',
    why: 'sketches steps',
    prior: -0.8,
    holds: (text) => /(?:→|->|=>)/.test(text) && !DECIDED.test(text),
  },
  says('no-subject', 'does not say what does it', -1, NO_SUBJECT),
  { id: 'narration', why: 'tells what someone is about to do', prior: -2, holds: narrates },
  says(
    'report',
    'reports work that was done',
    -1.5,
    /^(?:done|all (?:tests|checks|good|done|set))\b/i,
    new RegExp(`^(?:\\S+(?::| -) )?(?:${DONE})\\b`, 'i'),
    /\b(?:tests?|checks?) (?:all )?pass(?:es|ed)?\b|\b(?:has|have) been \w+ed\b/i,
  ),
  {
    id: 'points-first',
    why: 'begins by pointing at something unseen',
    prior: -1.2,
    holds: (text) => POINTS_FIRST.test(text),
  },
  {
    id: 'points',
    why: 'points at something unseen',
    prior: -0.8,
    holds: (text) => POINTS.test(text) && namesNothing(text),
  },
  {
    id: 'names',
    why: 'names what it is about',
    prior: 0.8,
    holds: (text) => Math.min(3, nameEntities(text).length) / 3,
  },
  { id: 'names-nothing', why: 'names no code, file or tool', prior: -0.6, holds: namesNothing },
  says('first-person', 'speaks of the speaker', -1, /\b(?:i|i'm|i've|i'll|i'd|me|my)\b/i),
  says('second-person', 'speaks to someone', -0.6, /\b(?:you|your|you're|you've)\b/i),
  says(
    'norm',
    'says what must or must not be',
    1,
    /\b(?:always|never|must(?:n't)?|should(?:n't)?|do not|don't|avoid|only)\b/i,
  ),
  says(
    'lasting',
    'is said for good',
    1.6,
    /\b(?:always|never|every time|whenever|from now on|in (?:this|our|the) (?:repo(?:sitory)?|project|codebase))\b/i,
    /^(?:do not|don't|never|avoid)\b/i,
    /^(?:use|prefer)\b.*\b(?:not|instead of|rather than|over|use|only|without)\b/i,
  ),
  says(
    'contrast',
    'sets the right way against the wrong one',
    0.6,
    /\b(?:instead of|rather than|not just|not the|but not|and not|unlike)\b|, (?:not|never) /i,
  ),
  says(
    'condition',
    'says when it applies',
    0.6,
    /\b(?:when|if|before|after|unless|until|whenever|while|for (?:each|every|all))\b/i,
  ),
  says(
    'reason',
    'says why',
    0.5,
    /\b(?:because|since|so that|otherwise|due to|which means|causes?|causing)\b/i,
  ),
  says(
    'limit',
    'says what does not work or is required',
    0.5,
    /\b(?:doesn't|does not|cannot|can't|won't|isn't|fails?|requires?|needs?|rejects?|ignores?|no longer)\b/i,
  ),
  says(
    'one-off',
    'is about this one time',
    -1.2,
    /\b(?:again|now|today|yet|already|so far|this (?:time|pr|branch|commit|change)|for now)\b/i,
    /\b(?:last|latest|previous|next) (?:one|message|commit|change|step|part)\b/i,
  ),
  says('task', 'asks for one piece of work', -1, new RegExp(`^(?:${TASK_VERBS})\\b`, 'i')),
  says(
    'rule-verb',
    'begins as a rule does',
    0.6,
    /^(?:use|prefer|keep|avoid|never|always|only|do not|don't|ensure|make sure|treat|follow|before|when|if)\b/i,
  ),
  says(
    'numbered',
    'refers to an item of a list',
    -0.8,
    /\b(?:option|opt|task|phase|step|item|part|point|scenario|comment|finding|pr) ?#?(?:\d+|[a-e])\b/i,
    /#\d+|\bp[0-3]\b/i,
  ),
  says(
    'pinpoint',
    'names a commit or a line that will move',
    -0.5,
    /\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b/,
    /\blines? ~?\d+|:\d+\b/i,
  ),
  says(
    'hedge',
    'only supposes or suggests',
    -0.6,
    /\b(?:could|might|maybe|probably|perhaps|seems?|likely|i think|would|let's)\b/i,
  ),
  {
    id: 'bare-subject',
    why: 'does not say which one it means',
    prior: -0.8,
    holds: (text) => BARE_SUBJECT.test(text),
  },
  {
    id: 'named-subject',
    why: 'begins with what it is about',
    prior: 0.6,
    holds: (text) =>
      /^(?:the |our |an? )?(?:\w+ ){0,2}`[^`]+`/i.test(text) || /^[A-Z][\w.-]*[A-Z_.][\w.-]*\b/.test(text),
  },
  says(
    'chat',
    'is chat',
    -1.5,
    /^(?:ok|okay|yes|yeah|no|nah|hmm+|eh+|haha|lol|thanks|sorry|great|perfect|nice|wow|oh|ah)\b/i,
    /(?:\.\.\.|!{2,}|\blol\b|\bhaha|:\)|:D)/i,
  ),
  says('raw', 'is a log line, a path or a command', -1, /^[\w./-]+$|^[$>]|:\d+:\d+|^\S+\/\S+\s*$/),
  { id: 'short', why: 'is very short', prior: -1, holds: (text) => countWords(text) < 7 },
  {
    id: 'length',
    why: 'is as long as a sentence',
    prior: 0.5,
    holds: (text) => Math.min(1, countWords(text) / 24),
  },
  { id: 'long', why: 'is longer than a sentence', prior: -0.6, holds: (text) => countWords(text) > 34 },
];

/** The cues of a title, for something that has one. */
const onTitle = <M>(titleOf: (judged: M) => string): Array<Cue<M>> =>
  TITLE_CUES.map((cue) => ({ ...cue, holds: (judged) => cue.holds(titleOf(judged)) }));

const isBy = (by: Wording['by'], why: string, prior: number): Cue<Wording> => ({
  id: `by-${by}`,
  why,
  prior,
  holds: (wording) => wording.by === by,
});

/** Cues of where a wording comes from. */
export const SOURCE_CUES: ReadonlyArray<Cue<Wording>> = [
  isBy('person', 'is in the words of the person', 0.5),
  isBy('offer', 'is what the person chose', 3),
  isBy('answer', 'is what the agent answered', 0),
  isBy('later', 'is what the agent said later', -0.3),
  {
    id: 'near',
    why: 'repeats the words of the message',
    prior: 1,
    holds: ({ by, near }) => (by === 'person' ? 0 : near),
  },
  { id: 'place', why: 'comes late in its turn', prior: -0.3, holds: ({ place }) => Math.min(1, place / 6) },
];

/** Cues that one wording says better than another what was learned. */
export const WORDING_CUES: ReadonlyArray<Cue<Wording>> = [
  ...onTitle<Wording>(({ rule }) => rule),
  ...SOURCE_CUES,
];

/** A note beside the moment it was written from. */
export interface JudgedNote {
  note: Pick<Note, 'title'>;
  material: Pick<Material, 'signal' | 'score' | 'speculative'>;
}

const isFrom = (signal: string, why: string, prior: number): Cue<JudgedNote> => ({
  id: signal,
  why,
  prior,
  holds: ({ material }) => material.signal === `signal.${signal}`,
});

/** Log-odds of a probability, within bounds that one judge may not decide alone. */
const odds = (probability: number) => {
  const bounded = Math.min(0.95, Math.max(0.05, probability));
  return Math.log(bounded / (1 - bounded));
};

/** Cues of the moment a note was written from. */
export const MOMENT_CUES: ReadonlyArray<Cue<JudgedNote>> = [
  {
    id: 'heard',
    why: 'was clearly a lesson when it was said',
    whyNot: 'was not clearly a lesson when it was said',
    prior: 0.8,
    holds: ({ material }) => odds(material.score),
  },
  {
    id: 'guess',
    why: 'nothing has confirmed it',
    prior: -0.5,
    holds: ({ material }) => material.speculative,
  },
  { id: 'person', why: 'a person said it', prior: 0, holds: ({ material }) => saidByPerson(material) },
  isFrom('answer', 'is a decision that the agent asked for', 1),
  isFrom('failure-fix', 'pairs what failed with what worked', 0),
];

/** Cues that a note is worth keeping: its title stands alone, and the moment was a lesson. */
export const NOTE_CUES: ReadonlyArray<Cue<JudgedNote>> = [
  ...onTitle<JudgedNote>(({ note }) => note.title),
  ...MOMENT_CUES,
];
