import type { EmbedderRow } from '../../models/manifest.ts';
import { dot } from '../platform/dot.ts';

/** The cosine of two vectors that are already of length one, as all of ours are. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length)
    throw new RangeError(`vectors of ${a.length} and ${b.length} dimensions cannot be compared`);
  return dot(a, b);
}

/**
 * A similarity that means the same for every model: 0 for unrelated texts and where there is no cosine (NaN), 1 for
 * texts that say the same.
 */
export function calibrated(row: Pick<EmbedderRow, 'similarity'>, rawCosine: number): number {
  const { unrelated, same } = row.similarity;
  return Math.min(1, Math.max(0, (rawCosine - unrelated) / (same - unrelated))) || 0;
}
