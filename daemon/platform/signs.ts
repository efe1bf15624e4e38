/** A bit for each value: is it above zero? */
export function signsOf(vector: Float32Array | Int8Array): Uint32Array {
  const signs = new Uint32Array(Math.ceil(vector.length / 32));
  vector.forEach((value, at) => {
    if (value > 0) signs[at >> 5] = (signs[at >> 5] ?? 0) | (1 << (at & 31));
  });
  return signs;
}

/** Counts the set bits by adding neighbours: pairs, then fours, then, of all three words at once, eights. */
export function bitsInThree(a: number, b: number, c: number): number {
  const fours = bitsInFours(a) + bitsInFours(b) + bitsInFours(c); // at most twelve in four bits
  const eights = (fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f);
  return Math.imul(eights, 0x01010101) >>> 24;
}

function bitsInFours(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  return ((pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)) | 0;
}
