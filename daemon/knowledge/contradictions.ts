import { isStopWord } from '../text/stop-words.ts';
import type { Learning } from '#contract/entities.ts';
import { flag, number, type Resolve } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import type { ReadableDb } from '../store/db.ts';
import { learningsBySeq } from '../store/learnings/learnings.ts';
import { saidLater } from '../store/learnings/lineage.ts';
import type { Store } from '../store/learnings/write.ts';
import { askMerge, bothStand, wasAsked } from '../store/learnings/questions.ts';
import { titledWith } from '../store/search/words.ts';
import { shardFor } from '../store/search/shards.ts';
import { liveTitles } from '../store/learnings/unexamined.ts';
import type { Neighbour } from './neighbours.ts';
import { supersede } from './supersede.ts';
import { jaccard } from '../text/similarity.ts';
import { tokens } from '../text/tokenise.ts';

export const contradictions = {
  id: 'knowledge.contradictions',
  seeds: ['SG1'],
  doc: 'Lets what was said last stand when a learning says the opposite of another; where only the meaning suggests it, asks you.',
  switch: flag('REFLECT_CONTRADICTIONS', true, 'Notice learnings that contradict each other'),
  knobs: {
    similarity: number('REFLECT_CONTRADICTION_SIMILARITY', {
      default: 0.75,
      min: 0,
      max: 1,
      doc: 'How alike two learnings of opposite tenor must be, 0…1, before you are asked which is true; 1 never asks',
    }),
  },
} satisfies PortCard;

const NEGATIONS = new Set(['not', 'never', 'cannot']);
const isNegation = (word: string) => NEGATIONS.has(word) || word.endsWith("n't");
/** Says how much, not what: a rule is the same rule with it. */
const EMPHASIS = new Set(['always', 'please']);

const wordsOf = (title: string) => tokens(title.replaceAll('’', "'"), "'");
const carriesMeaning = (word: string) => !isNegation(word) && !EMPHASIS.has(word) && !isStopWord(word);

export const conceptsOf = (title: string): Set<string> => new Set(wordsOf(title).filter(carriesMeaning));
const isNegated = (title: string) => wordsOf(title).some(isNegation);

const SHARE = 0.9; // of the concepts, which two titles must have more of in common

/** The same concepts, and one of the two denies them. */
export function contradicts(one: string, other: string): boolean {
  return isNegated(one) !== isNegated(other) && jaccard(conceptsOf(one), conceptsOf(other)) > SHARE;
}

/** The same words in the same order, denied or not: said again, whatever the punctuation and the small words. */
export function restates(one: string, other: string): boolean {
  const gist = (title: string) =>
    wordsOf(title)
      .filter((word) => carriesMeaning(word) || isNegation(word))
      .join(' ');
  return gist(one) === gist(other);
}

/** Live learnings of the same place that might be about the same: their titles lack at most what the rule allows to differ. */
export function sameConcepts(db: ReadableDb, title: string, shard: number): Learning[] {
  const words = [...conceptsOf(title)].flatMap((concept) => concept.split("'"));
  const mayLack = Math.ceil(words.length * (1 - SHARE)) - 1;
  // Whoever lacks so many has one of the parts whole.
  const part = Math.ceil(words.length / (Math.max(0, mayLack) + 1));
  const parts = Array.from({ length: Math.ceil(words.length / Math.max(1, part)) }, (_, index) =>
    words.slice(index * part, (index + 1) * part),
  );
  const seqs = parts.flatMap((some) => titledWith(db, some, shard, MOST_CANDIDATES));
  return [...learningsBySeq(db, [...new Set(seqs)]).values()];
}

const MOST_CANDIDATES = 1_000;

/** The older of two that contradict each other by the rule is superseded, unless a person let both stand. Says how many were. */
export function settleByRule(store: Store, learning: Learning, actor: string): number {
  const rivals = sameConcepts(store.db, learning.title, shardFor(store.db, learning)).filter(
    ({ id, title }) =>
      id !== learning.id && contradicts(title, learning.title) && !bothStand(store.db, id, learning.id),
  );
  const later = rivals.find(({ id }) => saidLater(store.db, id, learning.id));
  const overruled = later
    ? [{ older: learning, newer: later }]
    : rivals.map((rival) => ({ older: rival, newer: learning }));
  for (const { older, newer } of overruled)
    supersede(store, older.id, newer.id, {
      actor,
      kind: 'supersede',
      reason: `${newer.id} says the opposite and was said later`,
    });
  return overruled.length;
}

const MOST_EQUAL = 10; // concepts; of so many, more than nine tenths are all of them
const SLICE = 200; // titles

/**
 * Rows whose titles no other contradicts, by one look through all of them: among tens of thousands, looking for the rivals of each
 * costs a hundred times as much. A long title, which may lack a concept of its rival's, is left to be looked at.
 */
export function* withoutRival(db: ReadableDb): Generator<void, number[]> {
  const groups = new Map<string, { seqs: number[]; denied: boolean; affirmed: boolean }>();
  for (
    let titles = liveTitles(db, 0, SLICE);
    titles.length > 0;
    titles = liveTitles(db, titles.at(-1)?.seq ?? 0, SLICE)
  ) {
    for (const { seq, shard, title } of titles) {
      const concepts = [...conceptsOf(title)];
      if (concepts.length > MOST_EQUAL) continue;
      const key = JSON.stringify([shard, ...concepts.toSorted()]);
      const group = groups.get(key) ?? { seqs: [], denied: false, affirmed: false };
      groups.set(key, group);
      group.seqs.push(seq);
      group[isNegated(title) ? 'denied' : 'affirmed'] = true;
    }
    yield;
  }
  return [...groups.values()].flatMap(({ seqs, denied, affirmed }) => (denied && affirmed ? [] : seqs));
}

/** Pairs of words of which each undoes the other. */
const OPPOSITES: ReadonlyArray<readonly [RegExp, RegExp]> = [
  [/\balways\b/, /\bnever\b/],
  [/\b(?:use|using|prefer)\b/, /\b(?:avoid|stop|ban)\b/],
  [/\benabled?\b/, /\bdisabled?\b/],
  [/\ballow(?:ed|s)?\b/, /\b(?:forbid(?:den|s)?|den(?:y|ied|ies)|block(?:ed|s)?)\b/],
  [/\bwith\b/, /\bwithout\b/],
  [/\bbefore\b/, /\bafter\b/],
  [/\badd(?:s|ed)?\b/, /\bremoved?\b/],
  [/\binclud(?:e|es|ed|ing)\b/, /\bexclud(?:e|es|ed|ing)\b/],
  [/\bsync(?:hronous)?\b/, /\basync(?:hronous)?\b/],
  [/\bon\b/, /\boff\b/],
  [/\btrue\b/, /\bfalse\b/],
  [/\brequired?\b/, /\boptional\b/],
  [/\bsafe\b/, /\bunsafe\b/],
];

const OPPOSED = new RegExp(
  OPPOSITES.flat()
    .map(({ source }) => source)
    .join('|'),
  'g',
);
const ABOUT_THE_SAME = 0.4; // of the concepts; of long sentences on like matters, one is denied and the other not more often than not

/** Whether two titles of like meaning seem to say the opposite: a guess, good enough to ask and never to act. */
export function seemsOpposite(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const matter = (text: string) => conceptsOf(text.replace(OPPOSED, ' '));
  if (jaccard(matter(a), matter(b)) < ABOUT_THE_SAME) return false;
  const swapped = OPPOSITES.some(
    ([yes, no]) =>
      (yes.test(a) && !no.test(a) && no.test(b) && !yes.test(b)) ||
      (no.test(a) && !yes.test(a) && yes.test(b) && !no.test(b)),
  );
  return swapped || isNegated(one) !== isNegated(other);
}

/** Asks a person about the nearest learning that seems to say the opposite: nothing is demoted on a guess. True when it asked. */
export function askIfOpposite(
  store: Store,
  learning: Learning,
  neighbours: Neighbour[],
  resolve: Resolve,
): boolean {
  const least = resolve(contradictions.knobs.similarity);
  const rival = neighbours.find(
    ({ similarity, title }) => similarity >= least && seemsOpposite(title, learning.title),
  );
  if (least >= 1 || !rival || wasAsked(store.db, rival.id, learning.id)) return false;
  askMerge(store.db, {
    kind: 'contradiction',
    at: store.now(),
    similarity: rival.similarity,
    existingId: rival.id,
    incomingId: learning.id,
  });
  return true;
}
