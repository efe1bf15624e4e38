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
