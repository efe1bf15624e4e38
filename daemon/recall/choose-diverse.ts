import { calibrated } from '../inference/similarity.ts';
import type { ReadableDb } from '../store/db.ts';
import type { VectorTable } from '../store/search/vector-table.ts';
import { cosinesAmong } from '../store/search/compare-vectors.ts';

/** An embedder and the table of its vectors. */
interface Embedded {
  model: Parameters<typeof calibrated>[0];
  table: VectorTable;
}

/** How similar two of these rows are, on average over the embedders. */
export function likenessAmong(
  db: ReadableDb,
  embedders: readonly Embedded[],
  seqs: number[],
): (one: number, other: number) => number {
  const each = embedders.map(({ model, table }) => ({ model, cosineOf: cosinesAmong(db, table, seqs) }));
  return (one, other) =>
    each.reduce((sum, { model, cosineOf }) => sum + calibrated(model, cosineOf(one, other)), 0) / each.length;
}

/**
 * Similarity from which a note begins to repeat another: 0.9 at the shipped weight. Below it two notes are merely about
 * the same thing, which is what was asked for: penalising that too cost 0.04 of recall@10 on code search. The more
 * novelty counts, the less alike two notes have to be.
 */
export const repeatsFrom = (lambda: number): number => 1 - (1 - lambda) / 3;

/** A chosen candidate and how similar it is to the chosen one it is closest to; 0 for the first. */
export interface Chosen<T> {
  candidate: T;
  likeness: number;
}

/**
 * Greedy choice of candidates that differ (MMR): the first of the pool, then whichever is worth most, given its
 * likeness to those already chosen and the place it would take. Ties keep the order of the pool.
 */
export function chooseDiverse<T>(
  pool: readonly T[],
  count: number,
  similarity: (one: T, other: T) => number,
  worth: (candidate: T, likeness: number, place: number) => number,
): Array<Chosen<T>> {
  const waiting = pool.map((candidate) => ({ candidate, likeness: 0 }));
  const chosen = waiting.splice(0, Math.min(1, count));
  for (let last = chosen[0]; last && chosen.length < count && waiting.length > 0; last = chosen.at(-1)) {
    for (const each of waiting)
      each.likeness = Math.max(each.likeness, similarity(each.candidate, last.candidate));
    const worths = waiting.map(({ candidate, likeness }) => worth(candidate, likeness, chosen.length));
    chosen.push(...waiting.splice(worths.indexOf(Math.max(...worths)), 1));
  }
  return chosen;
}
