import { Simd } from '../../platform/simd.ts';

const SCALE = 32_767; // of coordinates; two vectors of length one have a product below 2³¹
const FIRST_ROWS = 1_024;
const AT_ONCE = 1_024; // rows compared in one call
const LIST = AT_ONCE * Int32Array.BYTES_PER_ELEMENT;

/** Vectors of length one in one piece of memory, two bytes for each coordinate: cosines are exact to four places. */
export class PackedVectors {
  readonly #dims: number;
  readonly #simd: Simd | null;
  readonly #rowOf = new Map<number, number>();
  #used = 0;
  // One memory: where the rows to compare are, their products, the vector they are compared with, all rows.
  #places = new Int32Array();
  #products = new Int32Array();
  #values = new Int16Array();

  constructor(dims: number) {
    this.#dims = dims;
    this.#simd = Simd.create('products', 2 * dims);
    this.#makeRoom(FIRST_ROWS);
  }

  /** How many rows are in use, those of removed vectors included. */
  get used(): number {
    return this.#used;
  }

  has(seq: number): boolean {
    return this.#rowOf.has(seq);
  }

  put(seq: number, vector: Float32Array): void {
    const row = this.#rowOf.get(seq) ?? ++this.#used; // the first row is that of the vector they are compared with
    if (this.#dims * (row + 1) > this.#values.length) this.#makeRoom(2 * row);
    this.#rowOf.set(seq, row);
    this.#write(row, vector);
  }

  remove(seq: number): void {
    this.#rowOf.delete(seq);
  }

  /** The cosine of the query and each of these; NaN for one that is not here. */
  cosines(query: Float32Array, seqs: readonly number[]): Float64Array {
    this.#write(0, query);
    return this.#compare(seqs);
  }

  /** The cosine of two of them; NaN if one is not here. */
  likeness(one: number, other: number): number {
    const row = this.#rowOf.get(one);
    if (row === undefined) return NaN;
    const from = this.#dims * row;
    this.#values.copyWithin(0, from, from + this.#dims);
    return this.#compare([other])[0] as number;
  }

  #write(row: number, vector: Float32Array): void {
    const from = this.#dims * row;
    for (let at = 0; at < this.#dims; at++)
      this.#values[from + at] = Math.max(-SCALE, Math.min(SCALE, Math.round((vector[at] as number) * SCALE)));
  }

  #compare(seqs: readonly number[]): Float64Array {
    const cosines = new Float64Array(seqs.length);
    const [places, products, start] = [this.#places, this.#products, this.#values.byteOffset];
    for (let done = 0; done < seqs.length; done += AT_ONCE) {
      const count = Math.min(AT_ONCE, seqs.length - done);
      for (let at = 0; at < count; at++)
        places[at] = start + 2 * this.#dims * (this.#rowOf.get(seqs[done + at] as number) ?? 0);
      if (this.#simd) this.#simd.run(start, places.byteOffset, count, products.byteOffset);
      else this.#multiply(count);
      for (let at = 0; at < count; at++)
        cosines[done + at] = places[at] === start ? NaN : (products[at] as number) / (SCALE * SCALE);
    }
    return cosines;
  }

  #multiply(count: number): void {
    const values = this.#values;
    for (let row = 0; row < count; row++) {
      const from = ((this.#places[row] as number) - values.byteOffset) / 2;
      let sum = 0;
      for (let at = 0; at < this.#dims; at++) sum += (values[at] as number) * (values[from + at] as number);
      this.#products[row] = sum;
    }
  }

  #makeRoom(rows: number): void {
    const values = this.#dims * (rows + 1);
    const memory = this.#simd?.memory(2 * LIST + 2 * values) ?? new ArrayBuffer(2 * LIST + 2 * values);
    const grown = new Int16Array(memory, 2 * LIST, values);
    if (!this.#simd) grown.set(this.#values);
    this.#places = new Int32Array(memory, 0, AT_ONCE);
    this.#products = new Int32Array(memory, LIST, AT_ONCE);
    this.#values = grown;
  }
}
