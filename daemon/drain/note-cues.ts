import type { Note } from '#contract/entities.ts';
import type { Cue } from '../capture/judge/cue.ts';
import { narrates } from '../capture/judge/wording.ts';
import { countWords } from '../text/tokenise.ts';
import type { Material } from './writer.ts';
import { saidByPerson } from './writers/evidence.ts';
import { nameEntities } from './writers/mentions.ts';

/** A note beside the moment it was written from. */
export interface JudgedNote {
  note: Pick<Note, 'title' | 'rule'>;
  material: Pick<Material, 'signal' | 'score' | 'speculative' | 'quote'>;
}

type NoteCue = Cue<JudgedNote>;

const title = (
  id: string,
  why: string,
  prior: number,
  holds: (title: string) => boolean | number,
): NoteCue => ({
  id,
  why,
  prior,
  holds: ({ note }) => holds(note.title),
});
const says = (id: string, why: string, prior: number, ...patterns: RegExp[]): NoteCue =>
  title(id, why, prior, (text) => patterns.some((pattern) => pattern.test(text)));

const POINTS = /\b(?:this|that|it|its|they|them|these|those|here|there|above|below)\b/i;
const POINTS_FIRST =
  /^(?:it|its|this|that|they|these|those|he|she|there|here|same|both|the (?:first|second|last|other))\b/i;
const namesNothing = (text: string) => nameEntities(text).length === 0;
const odds = (probability: number) => {
  const bounded = Math.min(0.97, Math.max(0.03, probability));
  return Math.log(bounded / (1 - bounded)) / 3.5;
};

/** Cues that a note is a rule or a fact which a stranger understands a month later: its form first, its words last. */
export const NOTE_CUES: readonly NoteCue[] = [
  title('question', 'asks', -3, (text) => /[?？]/.test(text)),
  title('cut', 'is cut off', -1.5, (text) => text.endsWith('…')),
  title('narration', 'tells what someone is doing', -2, (text) => narrates(text)),
  says(
    'report',
    'reports work that was done',
    -1.5,
    /^(?:done|fixed|added|updated|committed|pushed|all (?:tests|checks))\b/i,
  ),
  title('points-first', 'begins by pointing at something unseen', -1.2, (text) => POINTS_FIRST.test(text)),
  title('points', 'points at something unseen', -0.8, (text) => POINTS.test(text) && namesNothing(text)),
  title('names', 'names what it is about', 1, (text) => Math.min(3, nameEntities(text).length) / 3),
  title('names-nothing', 'names nothing', -0.6, namesNothing),
  says('first-person', 'speaks of the speaker', -1, /\b(?:i|i'm|i've|i'll|i'd|me|my)\b/i),
  says('second-person', 'speaks to someone', -0.5, /\b(?:you|your|you're)\b/i),
  says(
    'norm',
    'says what must or must not be',
    1,
    /\b(?:always|never|must(?:n't)?|should(?:n't)?|do not|don't|avoid|only)\b/i,
  ),
  says(
    'contrast',
    'sets the right way against the wrong one',
    0.6,
    /\b(?:instead of|rather than|not just|not the|but not|and not|over)\b/i,
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
    0.6,
    /\b(?:because|since|so that|otherwise|due to|which means|causes?|causing)\b/i,
  ),
  says(
    'limit',
    'says what does not work',
    0.5,
    /\b(?:doesn't|does not|cannot|can't|won't|isn't|fails?|requires?|needs?|rejects?|ignores?|no longer)\b/i,
  ),
  says(
    'one-off',
    'is about this one time',
    -1.2,
    /\b(?:again|now|today|yet|already|so far|this time|for now|last (?:one|message|commit))\b/i,
  ),
  says(
    'errand',
    'is an errand',
    -1,
    /^(?:show|commit|push|run|check|look|see|tell|give|continue|try|open|read|fix|revert|merge)\b/i,
  ),
  says(
    'chat',
    'is chat',
    -1.5,
    /^(?:ok|okay|yes|yeah|no|nah|hmm+|eh+|haha|lol|thanks|sorry|great|perfect|nice|wow|oh|ah)\b/i,
  ),
  says('raw', 'is a log line, a path or a command', -1, /^[\w./-]+$|^[$>]|:\d+:\d+|^\S+\/\S+\s*$/),
  title('short', 'is very short', -1.5, (text) => countWords(text) < 6),
  title('length', 'is as long as a sentence', 0.5, (text) => countWords(text) >= 9 && countWords(text) <= 26),
  {
    id: 'heard',
    why: 'was clearly a lesson when it was said',
    whyNot: 'was not clearly a lesson when it was said',
    prior: 3.5,
    holds: ({ material }) => odds(material.score),
  },
  {
    id: 'guess',
    why: 'nothing has confirmed it',
    prior: -0.5,
    holds: ({ material }) => material.speculative,
  },
  { id: 'person', why: 'a person said it', prior: 0, holds: ({ material }) => saidByPerson(material) },
];
