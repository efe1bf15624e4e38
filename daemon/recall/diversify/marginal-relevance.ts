import { calibrated, cosine } from '../../inference/similarity.ts';
import { flag, integer, number } from '../../ports/knob.ts';
import { vectorsOf } from '../../store/search/vectors.ts';
import { chooseDiverse } from '../choose-diverse.ts';
import { type Ranked, recallPort } from '../port.ts';

export const marginalRelevance = recallPort({
  id: 'diversify.marginal-relevance',
  seeds: ['R3'],
  doc: 'Lets a second idea in before the fourth copy of the first.',
  switch: flag('RECALL_MMR', true, 'Choose for diversity as well as for relevance'),
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
      doc: 'How many candidates it chooses among',
    }),
  },
  off: (candidates) => candidates,
  async run(candidates, { db, vectors, limit }, { lambda, window }) {
    const pool = candidates.slice(0, Math.max(window, limit));
    const embedders = pool.length > 2 && lambda < 1 ? await vectors() : [];
    if (embedders.length === 0) return { result: candidates, says: 'nothing to tell apart' };
    const seqs = pool.map(({ seq }) => seq);
    const embedded = embedders.map(({ model, table }) => ({ model, vectors: vectorsOf(db, table, seqs) }));
    const similarity = (one: Ranked, other: Ranked) => {
      const each = embedded.map(({ model, vectors: known }) => {
        const [a, b] = [known.get(one.seq), known.get(other.seq)];
        return a && b ? calibrated(model, cosine(a, b)) : 0;
      });
      return each.reduce((sum, value) => sum + value, 0) / each.length;
    };
    const chosen = choose(pool, Math.min(limit, pool.length), lambda, similarity);
    const rest = candidates.filter((candidate) => !chosen.some(({ seq }) => seq === candidate.seq));
    const moved = chosen.filter(({ seq }, index) => pool[index]?.seq !== seq).length;
    return {
      result: [...chosen, ...rest],
      says: moved === 0 ? 'all different enough' : `${moved} moved for the sake of novelty`,
    };
  },
});

const POOL_RANGE = 8; // natural logarithm of the odds between the first and the last of some fifty candidates

const SAYS_THE_SAME = 0.9; // similarity from which a note repeats another

/**
 * How much of a note another one already says: a twin adds nothing, however well it fits. Below the threshold two notes are merely
 * about the same thing, which is what was asked for: penalising that too cost 0.04 of recall@10 on code search.
 */
const repetition = (likeness: number) =>
  Math.min(1, Math.max(0, (likeness - SAYS_THE_SAME) / (1 - SAYS_THE_SAME)));

/** Relevance minus the part that a chosen note already says. */
function choose(
  pool: Ranked[],
  count: number,
  lambda: number,
  similarity: (one: Ranked, other: Ranked) => number,
): Ranked[] {
  const top = Math.max(...pool.map(({ score }) => score), Number.MIN_VALUE);
  // Scores are odds; on the scale of their logarithm the best is 1 and the last of a full pool about 0.
  const relevance = ({ score }: Ranked) =>
    Math.max(0, 1 + Math.log(Math.max(score, Number.MIN_VALUE) / top) / POOL_RANGE);
  const worth = (candidate: Ranked, likeness: number) => {
    const repeated = repetition(likeness);
    return lambda * relevance(candidate) * (1 - repeated) - (1 - lambda) * repeated;
  };
  return chooseDiverse(pool, count, similarity, worth).map(({ candidate, likeness }, index) =>
    index === 0 ? candidate : { ...candidate, note: `like what is there: ${likeness.toFixed(2)}` },
  );
}
