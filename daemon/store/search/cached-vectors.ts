import { descending } from '../../platform/descending.ts';
import { dot } from '../../platform/dot.ts';
import { Lru } from '../../platform/lru.ts';
import { signsOf } from '../../platform/signs.ts';
import { SignMap } from './sign-map.ts';
import { type CachedConnection, TouchedRows } from './touched-rows.ts';
import type { VectorTable } from './vector-table.ts';

const SMALL = 2_000; // vectors that a search may read itself
const SLICE = 50; // vectors
// Enough for ten thousand notes. What does not fit is read again for every question, as buffers outside of the heap
// that V8 collects in 100 ms every sixty questions: then the slowest twentieth of them waits for that.
const KEPT = 12_288; // whole vectors, 18 MB
const KEPT_TOKENS = 12_288; // notes, 24 MB of usual ones

export interface VectorMatch {
  seq: number;
  cosine: number;
}

/**
 * The vectors of one model in memory, in step with their table: the signs of all, and those compared last as a whole.
 */
export class CachedVectors {
  readonly #db: CachedConnection;
  readonly #table: VectorTable;
  readonly #touched: TouchedRows;
  readonly #whole = new Map<number, Float32Array>();
  /** Tokens are only ever written together with their vector, so they are outdated when it is. */
  readonly #tokens = new Lru<number, Buffer>(KEPT_TOKENS);
  #signs: SignMap | null = null;
  #isReading = false;

  constructor(db: CachedConnection, table: VectorTable) {
    this.#db = db;
    this.#table = table;
    this.#touched = new TouchedRows(db, table.name, 'shard, embedding');
  }

  /** Complete and up to date, or null where reading all that is missing would keep a search waiting. */
  current(): this | null {
    if (!this.#signs && !this.#isReading && this.#isSmall()) for (const _ of this.fill());
    const touched = this.#signs ? this.#touched.some(SMALL + 1) : [];
    if (touched.length > SMALL) return null;
    if (touched.length > 0) this.#renew(touched);
    return this.#signs ? this : null;
  }

  *fill(): Generator<void> {
    if (this.#isReading) return;
    if (!this.#signs || this.#touched.some(SMALL + 1).length > SMALL) yield* this.#readAll();
    for (let touched = this.#touched.some(SLICE); touched.length > 0; touched = this.#touched.some(SLICE)) {
      this.#renew(touched);
      yield;
    }
  }

  *#readAll(): Generator<void> {
    this.#signs = null;
    this.rest();
    this.#isReading = true;
    try {
      this.#touched.settleAll(); // what is written from now on is read again at the end
      this.#signs = yield* SignMap.read(this.#db, this.#table);
    } finally {
      this.#isReading = false;
    }
  }

  /** The nearest of these shards: of `wide` whose signs are nearest, or of all where that is no more work. */
  nearest(
    query: Float32Array,
    shards: readonly number[],
    limit: number,
    wide: number,
    exactUpTo: number,
  ): VectorMatch[] {
    const signs = this.#signs as SignMap; // there is no search before it is complete
    const isExact = signs.count(shards) <= (signs.size <= KEPT ? exactUpTo : wide);
    const near = isExact ? signs.rows(shards) : [...signs.nearest(query, shards, wide)];
    return this.#compare(query, near).slice(0, limit);
  }

  #compare(query: Float32Array, seqs: readonly number[]): VectorMatch[] {
    const matches: VectorMatch[] = [];
    for (const seq of seqs) {
      const vector = this.get(seq);
      if (vector) matches.push({ seq, cosine: dot(query, vector) });
    }
    return matches.sort((one, other) => descending(one.cosine, other.cosine) || one.seq - other.seq);
  }

  get(seq: number): Float32Array | undefined {
    const known = this.#whole.get(seq);
    if (known) return known;
    const read = this.#read(seq)?.vector;
    if (read) this.#keep(seq, read);
    return read;
  }

  /** A burst, such as comparing all notes after an import, leaves thousands of them; a search needs hundreds. */
  rest(): void {
    this.#whole.clear();
    this.#tokens.clear();
  }

  /** The tokens of these rows; those that are not kept are read with `read`, all at once. */
  tokens(seqs: readonly number[], read: (seqs: number[]) => Map<number, Buffer>): Map<number, Buffer> {
    const found = new Map<number, Buffer>();
    const missing: number[] = [];
    for (const seq of seqs) {
      const known = this.#tokens.get(seq);
      if (known) found.set(seq, known);
      else missing.push(seq);
    }
    if (missing.length > 0)
      for (const [seq, tokens] of read(missing)) {
        found.set(seq, tokens);
        this.#tokens.set(seq, tokens);
      }
    return found;
  }

  #keep(seq: number, vector: Float32Array): void {
    this.#whole.set(seq, vector);
    if (this.#whole.size <= KEPT) return;
    for (const oldest of this.#whole.keys()) return void this.#whole.delete(oldest);
  }

  #renew(seqs: readonly number[]): void {
    for (const seq of seqs) {
      this.#whole.delete(seq);
      this.#tokens.delete(seq);
      const row = this.#read(seq);
      if (row) this.#signs?.put(seq, row.shard, signsOf(row.vector));
      else this.#signs?.remove(seq);
    }
    this.#touched.settle(seqs);
  }

  #read(seq: number): { shard: number; vector: Float32Array } | null {
    const row = this.#db
      .prepare<[number], { shard: number; embedding: Buffer }>(
        `SELECT shard, embedding FROM ${this.#table.name} WHERE seq = ?`,
      )
      .get(seq);
    return row ? { shard: row.shard, vector: floats(row.embedding) } : null;
  }

  #isSmall(): boolean {
    return this.#db.prepare(`SELECT 1 FROM ${this.#table.name} LIMIT 1 OFFSET ?`).get(SMALL) === undefined;
  }
}

/** A view of the buffer where it is aligned to four bytes, else a copy. */
export function floats(bytes: Buffer): Float32Array {
  return bytes.byteOffset % 4 === 0
    ? new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : new Float32Array(Uint8Array.from(bytes).buffer);
}
