import type { Note } from '#contract/entities.ts';
import type { Cue } from '../capture/judge/cue.ts';
import { isLasting, TITLE_CUES } from './title-cues.ts';
import type { Material } from './writer.ts';
import { saidByPerson } from './writers/evidence.ts';
import type { Wording } from './writers/wordings.ts';

/** The cues of a title, for something that has one. */
const onTitle = <M>(titleOf: (judged: M) => string): Array<Cue<M>> =>
  TITLE_CUES.map((cue) => ({ ...cue, holds: (judged) => cue.holds(titleOf(judged)) }));

const isBy = (by: Wording['by'], why: string, prior: number): Cue<Wording> => ({
  id: `by-${by}`,
  why,
  prior,
  holds: (wording) => wording.by === by,
});

const ledBy = (what: string, why: string, prior: number, pattern: RegExp): Cue<Wording> => ({
  id: `led-by-${what}`,
  why,
  prior,
  holds: ({ lead }) => pattern.test(lead),
});

/** Cues of where a wording comes from. */
export const SOURCE_CUES: ReadonlyArray<Cue<Wording>> = [
  isBy('person', 'is in the words of the person', 0.5),
  isBy('offer', 'is what the person chose', 3),
  isBy('answer', 'is what the agent answered', 0),
  isBy('later', 'is what the agent said later', -0.3),
  isBy('commit', 'is how the agent described its commit', 0),
  {
    id: 'near',
    why: 'repeats the words of the message',
    prior: 1,
    holds: ({ by, near }) => (by === 'person' ? 0 : near),
  },
  ledBy(
    'cause',
    'is announced as the cause',
    1,
    /\b(?:root cause|cause|issue|problem|bug|reason|why|found (?:it|the)|i see|insight|invariant|what(?:'s| is| was) happening|gotcha|finding)\b/i,
  ),
  ledBy(
    'past',
    'is announced as what was before, or as one option',
    -0.5,
    /^(?:before|previously|old|options?|current(?:ly)?|scenario|example|note|steps?|case|task|tests?)\b/i,
  ),
  { id: 'place', why: 'comes late in its turn', prior: -0.3, holds: ({ place }) => Math.min(1, place / 6) },
];

/** Cues that one wording says better than another what was learned. */
export const WORDING_CUES: ReadonlyArray<Cue<Wording>> = [
  ...onTitle<Wording>(({ rule }) => rule),
  ...SOURCE_CUES,
];

/** A note beside the moment it was written from. */
export interface JudgedNote {
  /** `sense` is what the embedder makes of the title, where there is one. */
  note: Pick<Note, 'title'> & { sense?: number | undefined };
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
  {
    id: 'person',
    why: 'a person said it',
    whyNot: 'is a message to an agent, and most of those are about the moment',
    prior: 0,
    holds: ({ material }) => saidByPerson(material),
  },
  {
    // Most words of people are about the moment; these say of themselves that they are not. Its weight was set by hand:
    // the labelled sessions have too few of them to fit it.
    id: 'standing',
    why: 'is a standing rule that a person gave',
    prior: 1.1,
    holds: ({ note, material }) => saidByPerson(material) && isLasting(note.title),
  },
  {
    id: 'sense',
    why: 'reads like other lessons',
    whyNot: 'does not read like other lessons',
    prior: 1,
    holds: ({ note }) => note.sense ?? 0,
  },
  isFrom('answer', 'is a decision that the agent asked for', 1),
  isFrom('failure-fix', 'pairs what failed with what worked', 0),
];

/** Cues that a note is worth keeping: its title stands alone, and the moment was a lesson. */
export const NOTE_CUES: ReadonlyArray<Cue<JudgedNote>> = [
  ...onTitle<JudgedNote>(({ note }) => note.title),
  ...MOMENT_CUES,
];
