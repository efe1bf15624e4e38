import { expect, test } from 'vitest';
import { dot } from '../../platform/dot.ts';
import { PackedVectors } from './packed-vectors.ts';

function vectorOf(seed: number, dims: number): Float32Array {
  const values = Array.from({ length: dims }, (_, at) => Math.sin(seed * 7.1 + at * 1.7 + seed * at));
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

// 384 coordinates are compared with SIMD, seven cannot be.
test.each([384, 7])(
  'cosines of %i coordinates are exact to four places, however many vectors there are',
  (dims) => {
    const packed = new PackedVectors(dims);
    const seqs = Array.from({ length: 3_000 }, (_, at) => at + 1);
    for (const seq of seqs) packed.put(seq, vectorOf(seq, dims));
    const query = vectorOf(0.5, dims);
    const cosines = packed.cosines(query, seqs);
    for (const [at, seq] of seqs.entries())
      expect(cosines[at]).toBeCloseTo(dot(query, vectorOf(seq, dims)), 4);
    expect(packed.likeness(1, 2_999)).toBeCloseTo(dot(vectorOf(1, dims), vectorOf(2_999, dims)), 4);
  },
);

test('a vector that is replaced or removed is not compared any more', () => {
  const packed = new PackedVectors(384);
  packed.put(1, vectorOf(1, 384));
  packed.put(1, vectorOf(2, 384));
  expect(packed.cosines(vectorOf(2, 384), [1])[0]).toBeCloseTo(1, 4);
  packed.remove(1);
  expect(packed.cosines(vectorOf(2, 384), [1, 3])).toEqual(Float64Array.of(NaN, NaN));
  expect(packed.likeness(1, 3)).toBeNaN();
});
