import { descending } from '../../platform/descending.ts';
import { Lru } from '../../platform/lru.ts';
import { signsOf } from '../../platform/signs.ts';
import { slices } from '../../platform/slices.ts';
import { PackedVectors } from './packed-vectors.ts';
import { SignMap } from './sign-map.ts';
import { type CachedConnection, TouchedRows } from './touched-rows.ts';
import type { VectorTable } from './vector-table.ts';

const SMALL = 2_000; // vectors that a search may read itself
const SLICE = 50; // vectors
// A vector that does not fit is read again for every question, as a buffer outside of the heap. V8 collects those for
// 100 ms every sixty questions, and the slowest twentieth of them waits for that.
const KEPT = 131_072; // whole vectors, 100 MB; a tenth of that for ten thousand notes
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
  #whole: PackedVectors;
  /** Tokens are only ever written together with their vector, so they are outdated when it is. */
  readonly #tokens = new Lru<number, Buffer>(KEPT_TOKENS);
  #signs: SignMap | null = null;
  #isReading = false;

  constructor(db: CachedConnection, table: VectorTable) {
    this.#db = db;
    this.#table = table;
    this.#whole = new PackedVectors(table.dims);
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
      yield* this.#readAhead(this.#signs.size);
    } finally {
      this.#isReading = false;
    }
  }

  /** All that fits: a question would wait for the rows that it is the first to need. */
  *#readAhead(size: number): Generator<void> {
    const { name } = this.#table;
    if (size <= KEPT)
      yield* this.#readRows(name, 'embedding', (seq, bytes) => this.#whole.put(seq, floats(bytes)));
    if (size <= KEPT_TOKENS)
      yield* this.#readRows(`${name}_tokens`, 'tokens', (seq, bytes) => this.#tokens.set(seq, bytes));
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
    const cosines = this.cosines(query, seqs);
    const matches = seqs.map((seq, at) => ({ seq, cosine: cosines[at] as number }));
    return matches.sort((one, other) => descending(one.cosine, other.cosine) || one.seq - other.seq);
  }

  /** The cosine of the query and each of these rows; NaN for one without a vector. */
  cosines(query: Float32Array, seqs: readonly number[]): Float64Array {
    this.#load(seqs);
    return this.#whole.cosines(query, seqs);
  }

  /** How similar two of these rows are; NaN if one has no vector. */
  likeness(seqs: readonly number[]): (one: number, other: number) => number {
    this.#load(seqs);
    const whole = this.#whole;
    return (one, other) => whole.likeness(one, other);
  }

  /** A burst, such as comparing all notes after an import, leaves thousands of them; a search needs hundreds. */
  rest(): void {
    this.#whole = new PackedVectors(this.#table.dims);
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

  #load(seqs: readonly number[]): void {
    const isMissing = (seq: number) => !this.#whole.has(seq);
    if (this.#whole.used + seqs.length > KEPT && seqs.some(isMissing))
      this.#whole = new PackedVectors(this.#table.dims);
    for (const seq of seqs) {
      const vector = isMissing(seq) ? this.#read(seq)?.vector : undefined;
      if (vector) this.#whole.put(seq, vector);
    }
  }

  /** Each row of a table, with a pause after every slice. */
  *#readRows(table: string, column: string, keep: (seq: number, bytes: Buffer) => void): Generator<void> {
    type Row = { seq: number; bytes: Buffer };
    const next = this.#db.prepare<[number, number], Row>(
      `SELECT seq, ${column} AS bytes FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`,
    );
    for (const rows of slices<Row>((last) => next.all(last?.seq ?? 0, SLICE))) {
      for (const { seq, bytes } of rows) keep(seq, bytes);
      yield;
    }
  }

  #renew(seqs: readonly number[]): void {
    for (const seq of seqs) {
      this.#whole.remove(seq);
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
