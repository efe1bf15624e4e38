import type { ReadableDb } from '../db.ts';
import type { VectorTable } from './vectors.ts';

interface Shard {
  seqs: number[];
  /** The signs of all rows, one after another. */
  words: Uint32Array;
}

const SLICE = 2_000; // rows

/**
 * The signs of all vectors in memory, 48 bytes per note. Finding the neighbours of very many notes takes a tenth of the time
 * of a query for each. The map does not change after it was read.
 */
export class SignMap {
  readonly #shards = new Map<number, Shard>();
  readonly #width: number;

  private constructor(dims: number) {
    this.#width = Math.ceil(dims / 32);
  }

  static *read(db: ReadableDb, { name, dims }: VectorTable): Generator<void, SignMap> {
    const map = new SignMap(dims);
    type Row = { seq: number; signs: Buffer };
    const shards = db
      .prepare<[], { shard: number; count: number }>(
        `SELECT shard, count(*) AS count FROM ${name} GROUP BY shard`,
      )
      .all();
    for (const { shard, count } of shards) {
      const made: Shard = { seqs: [], words: new Uint32Array(count * map.#width) };
      map.#shards.set(shard, made);
      const next = db.prepare<[number, number, number], Row>(
        `SELECT seq, signs FROM ${name}_signs WHERE shard = ? AND seq > ? ORDER BY seq LIMIT ?`,
      );
      for (
        let rows = next.all(shard, 0, SLICE);
        rows.length > 0 && made.seqs.length < count;
        rows = next.all(shard, made.seqs.at(-1) ?? 0, SLICE)
      ) {
        for (const { seq, signs } of rows.slice(0, count - made.seqs.length)) map.#put(made, seq, signs);
        yield;
      }
    }
    return map;
  }

  #put({ seqs, words }: Shard, seq: number, signs: Buffer): void {
    const from = seqs.length * this.#width;
    for (let word = 0; word * 4 + 4 <= signs.length; word++)
      words[from + word] = signs.readUInt32LE(word * 4);
    seqs.push(seq);
  }

  /** At least this many rows of these shards, those whose signs differ least from the vector's. */
  nearest(vector: Float32Array, shards: readonly number[], count: number): Set<number> {
    const signs = this.#signsOf(vector);
    const among = shards.flatMap((shard) => this.#shards.get(shard) ?? []);
    const distances = among.map(({ words, seqs }) => this.#distances(signs, words, seqs.length));
    const least = leastWith(distances, count, this.#width * 32);
    return new Set(
      among.flatMap(({ seqs }, at) => seqs.filter((_, row) => (distances[at]?.[row] ?? Infinity) <= least)),
    );
  }

  #signsOf(vector: Float32Array): Uint32Array {
    const signs = new Uint32Array(this.#width);
    vector.forEach((value, at) => {
      if (value > 0) signs[at >> 5] = (signs[at >> 5] ?? 0) | (1 << (at & 31));
    });
    return signs;
  }

  #distances(signs: Uint32Array, words: Uint32Array, rows: number): Uint16Array {
    const distances = new Uint16Array(rows);
    for (let row = 0, from = 0; row < rows; row++, from += this.#width) {
      let distance = 0;
      for (let word = 0; word < this.#width; word++)
        distance += bitsIn((signs[word] ?? 0) ^ (words[from + word] ?? 0));
      distances[row] = distance;
    }
    return distances;
  }
}

/** The smallest distance that includes this many rows. */
function leastWith(distances: readonly Uint16Array[], count: number, most: number): number {
  const within = new Uint32Array(most + 1);
  for (const some of distances) for (const distance of some) within[distance] = (within[distance] ?? 0) + 1;
  for (let distance = 0, total = 0; distance <= most; distance++) {
    total += within[distance] ?? 0;
    if (total >= count) return distance;
  }
  return most;
}

/** Counts the set bits by adding neighbours: pairs, then fours, then bytes. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
