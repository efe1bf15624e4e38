import { flag, number } from '../../ports/knob.ts';
import { searchText } from '../../store/search/note-text.ts';
import { termsIn } from '../../text/similarity.ts';
import { isEnglish } from '../../text/stop-words.ts';
import { contentTerms, tokens } from '../../text/tokenise.ts';
import { type NearMiss, type Outcome, type Ranked, recallPort } from '../port.ts';

const JUDGED = 5;
/** Measured on questions to the right and the wrong knowledge base: meaning separates them better than words. */
const MEANING_SHARE = 0.6;
/** Relevance from which a learning bears on a question at all. */
export const RELEVANT_FROM = 0.3;

export const outOfDomain = recallPort({
  id: 'gate.out-of-domain',
  seeds: ['R7'],
  doc: 'Returns nothing if even the best result is not relevant to the question.',
  switch: flag('RECALL_GATE', true, 'Return nothing if nothing is relevant'),
  knobs: {
    // On the labelled sets 0.3 costs none of recall@10 and closes on all but a few questions of another field; 0.35
    // costs 0.006.
    minOverlap: number('REFLECT_RECALL_MIN_OVERLAP', {
      default: RELEVANT_FROM,
      min: 0,
      max: 1,
      doc: 'Minimum relevance of the best learning, by words and meaning; 0 for no minimum',
    }),
    minEach: number('REFLECT_RECALL_MIN_EACH', {
      default: 0,
      min: 0,
      max: 1,
      doc: 'Minimum relevance of each learning, by words and meaning; 0 for no minimum',
    }),
  },
  off: (candidates) => candidates,
  run(candidates, { question }, { minOverlap, minEach }) {
    if (minEach > 0) return eachFor(question.words, candidates, Math.max(minEach, minOverlap));
    if (minOverlap === 0 || candidates.length === 0) return { result: candidates, says: 'open' };
    const all = judged(question.words, candidates);
    const best = Math.max(...all.slice(0, JUDGED).map((candidate) => candidate.relevance));
    if (best >= minOverlap)
      return {
        result: all.map((candidate) => ({ ...candidate, weak: isWeak(candidate, minOverlap, all) })),
        says: `open: the best relevance to the question is ${best.toFixed(2)}`,
      };
    const reason = `the best relevance to the question is only ${best.toFixed(2)} of ${minOverlap}`;
    return {
      result: [],
      says: `closed: ${reason}`,
      dropped: new Map(candidates.map(({ seq }) => [seq, reason])),
      nearMisses: nearest(all),
    };
  },
});

/**
 * A hit whose score is a smaller share of the best one's is weak. Of ten hits to labelled questions about notes, this
 * sets 41 % of the wrong ones apart, and 2 of 54 right ones.
 */
const FAR = 0.02;

/** Where an edge says why, the note it leads to needs no words of the question (R1). */
function isWeak({ relevance, score, linked }: Judged, least: number, [best]: Judged[]): boolean {
  if (linked !== undefined) return false;
  return relevance < least || (best !== undefined && score < FAR * best.score);
}

type Judged = Ranked & { relevance: number };
const judged = (words: string, candidates: Ranked[]): Judged[] => {
  const bearing = bearingOn(words);
  return candidates.map((candidate) => ({ ...candidate, ...bearing(candidate) }));
};

const SHOWN = 3;
const nearest = (candidates: Judged[]): NearMiss[] =>
  candidates
    .toSorted((one, other) => other.relevance - one.relevance)
    .slice(0, SHOWN)
    .map(({ seq, relevance: by }) => ({ seq, relevance: by }));

const USUAL_CONFIDENCE = 0.55;
const MOST_CONFIDENCE = 0.8; // more is not more often right
const PER_CONFIDENCE = 0.2;

/** A learning that is believed more than most needs to bear less on a question. */
function leastFor({ learning: { confidence } }: Ranked, least: number): number {
  const surplus = Math.min(confidence, MOST_CONFIDENCE) - USUAL_CONFIDENCE;
  return least - PER_CONFIDENCE * Math.max(0, surplus);
}

/** Lets each candidate pass or not on its own. */
function eachFor(words: string, candidates: Ranked[], least: number): Outcome<Ranked[]> {
  const all = judged(words, candidates);
  const isNear = (candidate: Judged) => candidate.relevance >= leastFor(candidate, least);
  const isOpen = all.some(isNear);
  const passes = (candidate: Judged) => isNear(candidate) || (isOpen && candidate.linked !== undefined);
  const result = all.filter(passes).map((candidate) => ({
    ...candidate,
    note: `relevance to the question is ${candidate.relevance.toFixed(2)}`,
  }));
  const dropped = new Map(
    all
      .filter((candidate) => !passes(candidate))
      .map((candidate) => [
        candidate.seq,
        `relevance to the question is only ${candidate.relevance.toFixed(2)} of ${leastFor(candidate, least).toFixed(2)}`,
      ]),
  );
  return {
    result,
    says: `let ${result.length} of ${candidates.length} through`,
    dropped,
    nearMisses: result.length === 0 ? nearest(all) : [],
  };
}

/**
 * Words alone would suppress every good answer that is worded otherwise, so they can only add to what meaning says. The
 * embedders read English: two unrelated Russian or Japanese texts have 0.4 to 0.6 for them, so there meaning can only
 * add to what words say.
 */
export function relevanceTo(words: string): (candidate: Found) => number {
  const bearing = bearingOn(words);
  return (candidate) => bearing(candidate).relevance;
}

type Found = Pick<Ranked, 'learning' | 'similarity'>;

function bearingOn(words: string): (candidate: Found) => { relevance: number; matched: string[] } {
  const terms = [...contentTerms(words)];
  const matchedIn = termsIn(terms);
  const inEnglish = isEnglish(tokens(words));
  return ({ learning, similarity }) => {
    const { title, gist, text } = searchText(learning);
    const matched = matchedIn([title, gist, text, ...learning.tags].join('\n'));
    const share = terms.length === 0 ? 0 : matched.length / terms.length;
    if (similarity === undefined) return { matched, relevance: share };
    if (!inEnglish) return { matched, relevance: Math.max(share, Math.sqrt(similarity * share)) };
    return {
      matched,
      relevance: Math.max(similarity, MEANING_SHARE * similarity + (1 - MEANING_SHARE) * share),
    };
  };
}
