import { bitsInThree, signsOf } from '../../platform/signs.ts';
import { Simd } from '../../platform/simd.ts';
import { grown } from './grown.ts';
import type { CachedConnection } from './touched-rows.ts';
import type { VectorTable } from './vector-table.ts';
import { slices } from '../../platform/slices.ts';

const SLICE = 2_000; // rows
const BLOCK = 128; // rows; a shard has as many blocks as it needs
const FIRST_BLOCKS = 4;

interface Shard {
  blocks: number[];
  count: number;
}

/** Neighbouring rows of one shard. */
interface Run {
  from: number;
  count: number;
}

/**
 * The signs of all vectors in memory, 48 bytes per note, by shard. With SIMD a million are searched in six
 * milliseconds; what an approximate index would save of that, it would cost in memory and in neighbours it misses.
 */
export class SignMap {
  readonly #width: number; // words of a row
  readonly #simd: Simd | null;
  readonly #shards = new Map<number, Shard>();
  readonly #unused: number[] = [];
  /** The question, then the rows of all blocks. */
  #words: Uint32Array;
  #distances = new Uint16Array();
  #seqs = new Uint32Array();
  #shardOfBlock = new Uint32Array();
  /** The row of each note, from one on. */
  #rows = new Uint32Array(BLOCK);
  #blocks = 0;
  #size = 0;

  private constructor(dims: number) {
    this.#width = Math.ceil(dims / 32);
    this.#simd = Simd.create('bitsThatDiffer', this.#width * 4);
    this.#words = new Uint32Array(this.#width);
    this.#addBlocks(FIRST_BLOCKS);
  }

  static *read(db: Pick<CachedConnection, 'prepare'>, { name, dims }: VectorTable): Generator<void, SignMap> {
    const map = new SignMap(dims);
    type Row = { shard: number; seq: number; signs: Buffer };
    const next = db.prepare<[number, number, number], Row>(
      `SELECT shard, seq, signs FROM ${name}_signs WHERE (shard, seq) > (?, ?) ORDER BY shard, seq LIMIT ?`,
    );
    for (const rows of slices<Row>((last) => next.all(last?.shard ?? -1, last?.seq ?? 0, SLICE))) {
      for (const { shard, seq, signs } of rows) map.put(seq, shard, wordsIn(signs));
      yield;
    }
    return map;
  }

  get size(): number {
    return this.#size;
  }

  /** How many rows these shards have. */
  count(shards: readonly number[]): number {
    return shards.reduce((sum, shard) => sum + (this.#shards.get(shard)?.count ?? 0), 0);
  }

  rows(shards: readonly number[]): number[] {
    return this.#runsOf(shards).flatMap(({ from, count }) => [...this.#seqs.subarray(from, from + count)]);
  }

  put(seq: number, shard: number, signs: Uint32Array): void {
    this.remove(seq);
    const there = this.#shards.get(shard) ?? { blocks: [], count: 0 };
    this.#shards.set(shard, there);
    if (there.count === there.blocks.length * BLOCK) there.blocks.push(this.#takeBlock(shard));
    const row = rowIn(there, there.count++);
    this.#rows = grown(this.#rows, seq + 1);
    this.#words.set(signs, (row + 1) * this.#width);
    this.#seqs[row] = seq;
    this.#rows[seq] = row + 1;
    this.#size++;
  }

  /** The last row of its shard takes its place. */
  remove(seq: number): void {
    const row = (this.#rows[seq] ?? 0) - 1;
    const shard =
      row < 0 ? undefined : this.#shards.get(this.#shardOfBlock[Math.floor(row / BLOCK)] as number);
    if (!shard) return;
    const last = rowIn(shard, --shard.count);
    const moved = this.#seqs[last] as number;
    this.#words.copyWithin((row + 1) * this.#width, (last + 1) * this.#width, (last + 2) * this.#width);
    this.#seqs[row] = moved;
    this.#rows[moved] = row + 1;
    this.#rows[seq] = 0;
    this.#size--;
    if (shard.count % BLOCK === 0) this.#unused.push(shard.blocks.pop() as number); // the block of the last row
  }

  /** At least this many rows of these shards, those whose signs differ least from the vector's. */
  nearest(vector: Float32Array, shards: readonly number[], count: number): Set<number> {
    this.#words.set(signsOf(vector));
    const runs = this.#runsOf(shards);
    const least = leastWith(this.#measure(runs), count, this.#width * 32);
    const near = new Set<number>();
    const [distances, seqs] = [this.#distances, this.#seqs];
    let measured = 0;
    for (const { from, count: rows } of runs) {
      for (let row = 0; row < rows; row++)
        if ((distances[measured + row] as number) <= least) near.add(seqs[from + row] as number);
      measured += rows;
    }
    return near;
  }

  #runsOf(shards: readonly number[]): Run[] {
    return shards.flatMap((shard) => {
      const { blocks, count } = this.#shards.get(shard) ?? { blocks: [], count: 0 };
      return blocks.map((block, at) => ({ from: block * BLOCK, count: Math.min(BLOCK, count - at * BLOCK) }));
    });
  }

  /** The distance of each row of these runs, one after another. */
  #measure(runs: readonly Run[]): Uint16Array {
    let measured = 0;
    for (const { from, count } of runs) {
      const to = this.#distances.byteOffset + 2 * measured;
      if (this.#simd) this.#simd.run(0, 4 * (from + 1) * this.#width, count, to);
      else
        measureInJavaScript(
          this.#words,
          this.#width,
          from,
          this.#distances.subarray(measured, measured + count),
        );
      measured += count;
    }
    return this.#distances.subarray(0, measured);
  }

  #takeBlock(shard: number): number {
    if (this.#unused.length === 0) this.#addBlocks(Math.ceil(this.#blocks / 2));
    const block = this.#unused.pop() as number; // there are some now
    this.#shardOfBlock[block] = shard;
    return block;
  }

  #addBlocks(count: number): void {
    const [before, after] = [this.#blocks, this.#blocks + count];
    const rows = after * BLOCK;
    const words = (rows + 1) * this.#width;
    if (this.#simd) {
      const memory = this.#simd.memory(4 * words + 2 * rows);
      this.#words = new Uint32Array(memory, 0, words);
      this.#distances = new Uint16Array(memory, 4 * words, rows);
    } else {
      this.#words = grown(this.#words, words);
      this.#distances = new Uint16Array(rows);
    }
    this.#seqs = grown(this.#seqs, rows);
    this.#shardOfBlock = grown(this.#shardOfBlock, after);
    this.#blocks = after;
    for (let block = after - 1; block >= before; block--) this.#unused.push(block);
  }
}

const rowIn = ({ blocks }: Shard, at: number): number =>
  (blocks[Math.floor(at / BLOCK)] as number) * BLOCK + (at % BLOCK);

const wordsIn = (signs: Buffer): Uint32Array =>
  Uint32Array.from({ length: signs.length >> 2 }, (_, word) => signs.readUInt32LE(word * 4));

const THREE = 3; // words whose bits are counted together

/** In how many bits each row from this one on differs from the question. */
function measureInJavaScript(words: Uint32Array, width: number, first: number, distances: Uint16Array): void {
  const whole = width - (width % THREE);
  for (let row = 0, from = (first + 1) * width; row < distances.length; row++, from += width) {
    let distance = 0;
    // Every index is within its array: a row has as many words as the question.
    for (let word = 0; word < whole; word += THREE)
      distance += bitsInThree(
        (words[word] as number) ^ (words[from + word] as number),
        (words[word + 1] as number) ^ (words[from + word + 1] as number),
        (words[word + 2] as number) ^ (words[from + word + 2] as number),
      );
    for (let word = whole; word < width; word++)
      distance += bitsInThree((words[word] as number) ^ (words[from + word] as number), 0, 0);
    distances[row] = distance;
  }
}

/** The smallest distance that includes this many rows. */
function leastWith(distances: Uint16Array, count: number, most: number): number {
  const within = new Uint32Array(most + 1);
  for (let at = 0; at < distances.length; at++) {
    const distance = distances[at] as number;
    within[distance] = (within[distance] as number) + 1;
  }
  for (let distance = 0, total = 0; distance <= most; distance++) {
    total += within[distance] as number;
    if (total >= count) return distance;
  }
  return most;
}
