import * as z from 'zod';
import type { WritableDb } from '../store/db.ts';
import { seqOf } from '../store/learnings/learnings.ts';
import { freshVector, putVector, tokensOf, type VectorTable } from '../store/search/vectors.ts';
import type { TravellingVector } from './server/log.ts';

/** The vectors of one embedder, and the weights that made them. */
export interface Embedded {
  table: VectorTable;
  weights: string;
  /** For a model whose vectors come with tokens: tells them from anything else. */
  areTokens?: (bytes: Buffer) => boolean;
}

const FULL = 127;

/** The vectors of a note, for colleagues with the same model. */
export function packVectors(db: WritableDb, id: string, models: readonly Embedded[]): TravellingVector[] {
  const seq = seqOf(db, id);
  if (seq === null) return [];
  return models.flatMap(({ table, weights }) => {
    const vector = freshVector(db, table, seq);
    if (!vector) return [];
    const tokens = tokensOf(db, table, [seq]).get(seq)?.toString('base64');
    return [{ model: table.model, weights, int8: pack(vector), ...(tokens ? { tokens } : {}) }];
  });
}

const Travelling = z
  .array(
    z.object({ model: z.string(), weights: z.string(), int8: z.string(), tokens: z.string().optional() }),
  )
  .max(8);

/**
 * Uses the vectors that came with a note, so that nothing is embedded. Those of another model are left, and so are
 * those without the tokens they should have: recall compares tokens only if every note it found has some.
 */
export function useVectors(db: WritableDb, id: string, given: unknown, models: readonly Embedded[]): void {
  const seq = seqOf(db, id);
  const { data = [] } = Travelling.safeParse(given);
  if (seq === null) return;
  for (const { table, weights, areTokens } of models) {
    const found = data.find((each) => each.model === table.model && each.weights === weights);
    const vector = found && unpack(found.int8);
    if (vector?.length !== table.dims) continue;
    const tokens = areTokens ? Buffer.from(found?.tokens ?? '', 'base64') : null;
    if (!tokens || areTokens?.(tokens)) putVector(db, table, seq, vector, tokens);
  }
}

/** A unit vector in a quarter of its bytes: scaled so that its largest number is 127. */
function pack(vector: Float32Array): string {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / largest) * FULL)).buffer).toString(
    'base64',
  );
}

function unpack(text: string): Float32Array | null {
  const bytes = Buffer.from(text, 'base64');
  const numbers = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = Math.hypot(...numbers);
  return length > 0 ? Float32Array.from(numbers, (value) => value / length) : null;
}
