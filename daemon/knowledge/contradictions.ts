import { isStopWord } from '../text/stop-words.ts';
import type { Learning } from '#contract/entities.ts';
import { flag, number, type UserResolve } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import type { ReadableDb } from '../store/db.ts';
import { learningsBySeq } from '../store/learnings/learnings.ts';
import { wasSaidLater } from '../store/learnings/lineage.ts';
import type { Store } from '../store/learnings/write.ts';
import { askMerge, areBothKept, wasPersonAsked } from '../store/learnings/questions.ts';
import { titledWith } from '../store/search/words.ts';
import { shardFor } from '../store/search/shards.ts';
import { type LiveTitle, liveTitles } from '../store/learnings/unexamined.ts';
import type { Neighbour } from './neighbours.ts';
import { supersede } from './supersede.ts';
import { jaccard } from '../text/similarity.ts';
import { tokens } from '../text/tokenise.ts';
import { closeness } from './adjudicate.ts';
import { disagreement } from './attributes.ts';
import { slices } from '../platform/slices.ts';

export const contradictions = {
  id: 'knowledge.contradictions',
  seeds: ['SG1'],
  doc: 'Supersedes the older of two opposite learnings; asks you if only the meaning suggests it.',
  switch: flag('REFLECT_CONTRADICTIONS', true, 'Notice learnings that contradict each other'),
  knobs: {
    similarity: number('REFLECT_CONTRADICTION_SIMILARITY', {
      default: 0.75,
      min: 0,
      max: 1,
      doc: 'How similar two seemingly opposite learnings must be, 0…1, before Reflect asks which is true; 1 never asks',
    }),
  },
} satisfies PortCard;

const NEGATIONS = new Set(['not', 'never', 'cannot']);
const isNegation = (word: string) => NEGATIONS.has(word) || word.endsWith("n't");
/** Intensifiers: a rule is the same rule with or without them. */
const EMPHASIS = new Set(['always', 'please']);

const wordsOf = (title: string) => tokens(title.replaceAll('’', "'"), "'");
const carriesMeaning = (word: string) => !isNegation(word) && !EMPHASIS.has(word) && !isStopWord(word);

export const conceptsOf = (title: string): Set<string> => new Set(wordsOf(title).filter(carriesMeaning));
const isNegated = (title: string) => wordsOf(title).some(isNegation);

const SHARE = 0.9; // of the concepts; two titles must have more than this in common

/** The same concepts, and one of the two denies them. */
export function contradicts(one: string, other: string): boolean {
  return isNegated(one) !== isNegated(other) && jaccard(conceptsOf(one), conceptsOf(other)) > SHARE;
}

/** True for the same concepts in the same order, both negated or neither, whatever the punctuation and stop words. */
export function isRestatement(one: string, other: string): boolean {
  const gist = (title: string) =>
    wordsOf(title)
      .filter((word) => carriesMeaning(word) || isNegation(word))
      .join(' ');
  return gist(one) === gist(other);
}

/** Live learnings of the same place whose titles share enough concepts to restate or contradict this one. */
export function sameConcepts(db: ReadableDb, title: string, shard: number): Learning[] {
  const words = [...conceptsOf(title)].flatMap((concept) => concept.split("'"));
  const mayLack = Math.ceil(words.length * (1 - SHARE)) - 1;
  // A title that lacks at most this many concepts contains at least one part completely.
  const part = Math.ceil(words.length / (Math.max(0, mayLack) + 1));
  const parts = Array.from({ length: Math.ceil(words.length / Math.max(1, part)) }, (_, index) =>
    words.slice(index * part, (index + 1) * part),
  );
  const seqs = parts.flatMap((some) => titledWith(db, some, shard, MOST_CANDIDATES));
  return [...learningsBySeq(db, [...new Set(seqs)]).values()];
}

const MOST_CANDIDATES = 1_000;

/** Supersedes the older of two contradicting learnings, unless a person kept both. Returns how many. */
export function settleByRule(store: Store, learning: Learning, actor: string): number {
  const rivals = sameConcepts(store.db, learning.title, shardFor(store.db, learning)).filter(
    ({ id, title }) =>
      id !== learning.id && contradicts(title, learning.title) && !areBothKept(store.db, id, learning.id),
  );
  const isForeign = ({ metadata }: Learning) => metadata.colleague !== undefined;
  if (rivals.some((rival) => isForeign(rival) || isForeign(learning)))
    return askAboutRivals(store, learning, rivals);
  const later = rivals.find(({ id }) => wasSaidLater(store.db, id, learning.id));
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

/** A colleague's note overrules nothing here, and the other way round: a person decides. */
function askAboutRivals(store: Store, learning: Learning, rivals: Learning[]): number {
  for (const { id } of rivals) {
    if (wasPersonAsked(store.db, id, learning.id)) continue;
    askMerge(store, {
      kind: 'contradiction',
      similarity: 1,
      existingId: id,
      incomingId: learning.id,
    });
  }
  return 0;
}

const MOST_EQUAL = 10; // concepts; up to here, more than nine tenths means all
const SLICE = 200; // titles

/**
 * Rows whose titles no other title contradicts, found in one pass: with tens of thousands, a search for each costs a
 * hundred times as much. Long titles, which may lack a concept of their rival, are left for that search.
 */
export function* withoutRival(db: ReadableDb): Generator<void, number[]> {
  const groups = new Map<string, { seqs: number[]; denied: boolean; affirmed: boolean }>();
  for (const titles of slices<LiveTitle>((last) => liveTitles(db, last?.seq ?? 0, SLICE))) {
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

/** Pairs of opposite words. */
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
const ABOUT_THE_SAME = 0.4; // of the concepts; long sentences on similar subjects often differ in negation without contradicting

/**
 * True when two titles of similar meaning seem to say the opposite, or state two values of one thing: a guess, good
 * enough to ask but not to act.
 */
export function seemsOpposite(one: string, other: string): boolean {
  return disagreement(one, other) !== null || seemsDenied(one, other);
}

/** True when two titles cannot both be followed, or seem so: they are neither merged nor counted for each other. */
export const areOpposed = (one: string, other: string): boolean =>
  contradicts(one, other) || seemsOpposite(one, other);

function seemsDenied(one: string, other: string): boolean {
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

const LESS_FOR_VALUES = 0.35; // of similarity

/**
 * Asks a person about the nearest learning that seems to say the opposite, because a guess must not supersede. True
 * when it asked.
 */
export function askIfOpposite(
  store: Store,
  learning: Learning,
  neighbours: Neighbour[],
  resolve: UserResolve,
): boolean {
  const least = resolve(contradictions.knobs.similarity);
  const rival = neighbours.find((near) =>
    // Two values of one attribute need no similar words: "indent with tabs", "two spaces everywhere".
    disagreement(near.title, learning.title)
      ? near.similarity >= least - LESS_FOR_VALUES
      : closeness(near) >= least && seemsOpposite(near.title, learning.title),
  );
  if (least >= 1 || !rival || wasPersonAsked(store.db, rival.id, learning.id)) return false;
  askMerge(store, {
    kind: 'contradiction',
    similarity: rival.similarity,
    existingId: rival.id,
    incomingId: learning.id,
  });
  return true;
}
