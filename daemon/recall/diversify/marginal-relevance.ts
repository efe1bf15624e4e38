import { flag, integer, number } from '../../ports/knob.ts';
import { chooseDiverse, likenessAmong, repeatsFrom } from '../choose-diverse.ts';
import { RELEVANT_FROM, relevanceTo } from '../gate/out-of-domain.ts';
import { type Ranked, recallPort } from '../port.ts';

export const marginalRelevance = recallPort({
  id: 'diversify.marginal-relevance',
  seeds: ['R3'],
  doc: 'Prefers a new idea over another copy of the first.',
  switch: flag('RECALL_MMR', true, 'Prefer results that do not repeat each other'),
  knobs: {
    lambda: number('RECALL_MMR_LAMBDA', {
      default: 0.7,
      min: 0,
      max: 1,
      doc: 'Weight of relevance against novelty; 1 is relevance alone',
    }),
    window: integer('RECALL_MMR_WINDOW', {
      default: 20,
      min: 2,
      max: 100,
      doc: 'How many candidates it chooses from',
    }),
  },
  off: (candidates) => candidates,
  run(candidates, { db, question, embedders, limit }, { lambda, window }) {
    const pool = candidates.slice(0, Math.max(window, limit));
    if (embedders.length === 0 || pool.length <= 2 || lambda === 1)
      return { result: candidates, says: 'no repetitions' };
    const seqs = pool.map(({ seq }) => seq);
    const likeness = likenessAmong(db, embedders, seqs);
    const similarity = (one: Ranked, other: Ranked) => likeness(one.seq, other.seq);
    const chosen = choose(question.words, pool, Math.min(limit, pool.length), lambda, similarity);
    const rest = candidates.filter((candidate) => !chosen.some(({ seq }) => seq === candidate.seq));
    const moved = chosen.filter(({ seq }, index) => pool[index]?.seq !== seq).length;
    return {
      result: [...chosen, ...rest],
      says: moved === 0 ? 'all different enough' : `${moved} moved for the sake of novelty`,
    };
  },
});

const TWIN = 0.97; // similarity from which a note says the same
const TOP = 5; // places where every repetition counts
const LEAST_SHARE = 0.5; // of the best relevance; a note with less is no second idea
/** Loss of a full copy at a weight of 0, in log-odds; the last of fifty candidates is about 8 behind. */
const MOST_LOST = { top: 24, below: 8 };

/**
 * How much of a note another one already says. Below the top five only a twin is held back: there a note that says
 * nearly the same is a better answer than a stranger.
 */
function repetition(likeness: number, place: number, lambda: number): number {
  if (place >= TOP && likeness < TWIN) return 0;
  const from = repeatsFrom(lambda);
  return Math.min(1, Math.max(0, (likeness - from) / (1 - from)));
}

/** Relevance minus what a chosen note already says. A copy never falls behind noise. */
function choose(
  words: string,
  pool: Ranked[],
  count: number,
  lambda: number,
  similarity: (one: Ranked, other: Ranked) => number,
): Ranked[] {
  const relevance = relevanceTo(words);
  const relevances = pool.map((candidate) => candidate.relevance ?? relevance(candidate)); // the gate has most
  const least = Math.max(RELEVANT_FROM, Math.max(...relevances) * LEAST_SHARE);
  const noise = pool.filter((_, index) => (relevances[index] ?? 0) < least).map(fit);
  const lowest = new Map(
    pool.map((candidate) => [candidate, Math.max(...noise.filter((other) => other < fit(candidate)))]),
  );
  const worth = (candidate: Ranked, likeness: number, place: number) => {
    const most = place < TOP ? MOST_LOST.top : MOST_LOST.below;
    const loss = (1 - lambda) * most * repetition(likeness, place, lambda);
    return Math.max(fit(candidate) - loss, lowest.get(candidate) ?? -Infinity);
  };
  return chooseDiverse(pool, count, similarity, worth).map(({ candidate, likeness }, index) =>
    index === 0 ? candidate : { ...candidate, note: `like what is there: ${likeness.toFixed(2)}` },
  );
}

const fit = ({ score }: Ranked) => Math.log(Math.max(score, Number.MIN_VALUE));
