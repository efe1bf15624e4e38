import { dot } from '../../platform/dot.ts';
import type { ReadableDb } from '../db.ts';
import type { VectorTable } from './vector-table.ts';
import { vectorsOf } from './vectors.ts';

/** The cosine of the query and each of these rows; NaN for a row without a vector. */
export function cosinesOf(
  db: ReadableDb,
  table: VectorTable,
  query: Float32Array,
  seqs: number[],
): ArrayLike<number> {
  const inMemory = db.search?.vectors(table);
  if (inMemory) return inMemory.cosines(query, seqs);
  const stored = vectorsOf(db, table, seqs);
  return seqs.map((seq) => cosineOfPair(query, stored.get(seq)));
}

/** Compares two of these rows; NaN if one has no vector. */
export function cosinesAmong(
  db: ReadableDb,
  table: VectorTable,
  seqs: number[],
): (one: number, other: number) => number {
  const inMemory = db.search?.vectors(table);
  if (inMemory) return inMemory.likeness(seqs);
  const stored = vectorsOf(db, table, seqs);
  return (one, other) => cosineOfPair(stored.get(one), stored.get(other));
}

const cosineOfPair = (one: Float32Array | undefined, other: Float32Array | undefined): number =>
  one && other ? dot(one, other) : NaN;
