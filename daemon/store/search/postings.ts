import { grown } from './grown.ts';

/**
 * Which documents have a word, and how much it weighs there, for every word: a difference of document numbers in
 * seven-bit pieces and a byte of weight, about three bytes each. All lie in one buffer, outside of the heap. A list
 * that needs more room moves to the end; `compact` closes the gaps.
 */
export class Postings {
  #bytes = new Uint8Array(1 << 14);
  #end = 0;
  #terms = 0;
  #start = new Uint32Array(256);
  #used = new Uint32Array(256);
  #room = new Uint32Array(256);
  #count = new Uint32Array(256);
  #last = new Uint32Array(256);

  addTerm(): number {
    const term = this.#terms++;
    this.#start = grown(this.#start, this.#terms);
    this.#used = grown(this.#used, this.#terms);
    this.#room = grown(this.#room, this.#terms);
    this.#count = grown(this.#count, this.#terms);
    this.#last = grown(this.#last, this.#terms);
    return term;
  }

  /** Documents must come in rising order. */
  add(term: number, document: number, weight: number): void {
    if ((this.#room[term] ?? 0) - (this.#used[term] ?? 0) < LONGEST_POSTING) this.#move(term);
    const start = this.#start[term] ?? 0;
    let at = start + (this.#used[term] ?? 0);
    let difference = document - (this.#last[term] ?? 0);
    for (; difference > 0x7f; difference >>>= 7) this.#bytes[at++] = (difference & 0x7f) | 0x80;
    this.#bytes[at++] = difference;
    this.#bytes[at++] = weight;
    this.#used[term] = at - start;
    this.#last[term] = document;
    this.#count[term] = (this.#count[term] ?? 0) + 1;
  }

  count(term: number): number {
    return this.#count[term] ?? 0;
  }

  /** Writes the list of a word into these arrays, which must have room for `count` entries. */
  read(term: number, documents: Uint32Array, weights: Uint8Array): number {
    const bytes = this.#bytes;
    const count = this.count(term);
    let at = this.#start[term] ?? 0;
    let document = 0;
    for (let entry = 0; entry < count; entry++) {
      let byte = bytes[at++] as number; // within the list
      let difference = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++] as number;
        difference |= (byte & 0x7f) << shift;
      }
      document += difference;
      documents[entry] = document;
      weights[entry] = bytes[at++] as number;
    }
    return count;
  }

  /** Leaves no room to spare; lists that grow later move again. */
  compact(): void {
    const size = this.#used.subarray(0, this.#terms).reduce((sum, used) => sum + used, 0);
    const bytes = new Uint8Array(size);
    let end = 0;
    for (let term = 0; term < this.#terms; term++) {
      const [start = 0, used = 0] = [this.#start[term], this.#used[term]];
      bytes.set(this.#bytes.subarray(start, start + used), end);
      this.#start[term] = end;
      this.#room[term] = used;
      end += used;
    }
    this.#bytes = bytes;
    this.#end = end;
  }

  #move(term: number): void {
    const [start = 0, used = 0] = [this.#start[term], this.#used[term]];
    const room = Math.max(LONGEST_POSTING, used + (used >> 1) + LONGEST_POSTING);
    this.#bytes = grown(this.#bytes, this.#end + room);
    this.#bytes.copyWithin(this.#end, start, start + used);
    this.#start[term] = this.#end;
    this.#room[term] = room;
    this.#end += room;
  }
}

const LONGEST_POSTING = 6; // bytes: five pieces of seven bits and a weight
