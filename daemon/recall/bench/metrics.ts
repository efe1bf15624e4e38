/** How well a ranking answers one question. */
export interface Quality {
  recall5: number;
  recall10: number;
  mrr: number;
  ndcg: number;
}

/** `found` are the keys returned, best first; every key of `relevant` is equally right. */
export function judge(found: readonly string[], relevant: readonly string[]): Quality {
  const right = new Set(relevant);
  const within = (depth: number) =>
    new Set(found.slice(0, depth).filter((key) => right.has(key))).size / right.size;
  const first = found.slice(0, 10).findIndex((key) => right.has(key));
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const ideal = Array.from({ length: Math.min(10, right.size) }, (_, rank) => gain(rank)).reduce(
    (sum, value) => sum + value,
    0,
  );
  const got = found.slice(0, 10).reduce((sum, key, rank) => sum + (right.has(key) ? gain(rank) : 0), 0);
  return {
    recall5: within(5),
    recall10: within(10),
    mrr: first < 0 ? 0 : 1 / (first + 1),
    ndcg: got / ideal,
  };
}

export function average(qualities: readonly Quality[]): Quality {
  const mean = (field: keyof Quality) =>
    qualities.reduce((sum, quality) => sum + quality[field], 0) / Math.max(1, qualities.length);
  return { recall5: mean('recall5'), recall10: mean('recall10'), mrr: mean('mrr'), ndcg: mean('ndcg') };
}
