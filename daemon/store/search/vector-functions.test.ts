import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { addInJavaScript, addVectorFunctions } from './vector-functions.ts';

/** A vector of length one that differs with its seed. */
function vectorOf(seed: number): Buffer {
  const values = Array.from({ length: 384 }, (_, index) => Math.sin(seed * 7.1 + index * 1.7));
  const length = Math.hypot(...values);
  return Buffer.from(Float32Array.from(values, (value) => value / length).buffer);
}

test('where sqlite-vec has no build, JavaScript computes the same', () => {
  const [native, ours] = [new Database(':memory:'), new Database(':memory:')];
  addVectorFunctions(native);
  addInJavaScript(ours);
  const ask = (db: Database.Database, a: Buffer, b: Buffer) =>
    db
      .prepare<[object], { signs: Buffer; hamming: number; cosine: number }>(
        `SELECT vec_quantize_binary(:a) AS signs, vec_distance_cosine(:a, :b) AS cosine,
                vec_distance_hamming(vec_bit(vec_quantize_binary(:a)), vec_quantize_binary(:b)) AS hamming`,
      )
      .get({ a, b });
  for (let seed = 0; seed < 20; seed++) {
    const [a, b] = [vectorOf(seed), vectorOf(seed + 1)];
    const [expected, computed] = [ask(native, a, b), ask(ours, a, b)];
    expect(computed?.signs).toEqual(expected?.signs);
    expect(computed?.hamming).toBe(expected?.hamming);
    expect(computed?.cosine).toBeCloseTo(expected?.cosine ?? NaN, 5);
  }
  native.close();
  ours.close();
});
