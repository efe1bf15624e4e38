import { expect, test } from 'vitest';
import { seqOf } from '../store/learnings/learnings.ts';
import { ensureVectors, freshVector, putVector, tokensOf } from '../store/search/vectors.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { packVectors, useVectors } from './vectors.ts';

/** A machine with one note and one model, whose tokens take four bytes each. */
function machine() {
  const { db, ...store } = tempStore();
  const { id } = given({ db, ...store }, { title: 'Use pnpm' }).learning;
  const seq = seqOf(db, id) ?? 0;
  const table = ensureVectors(db, 'tiny', 8, true);
  const models = [
    { table, weights: 'w1', areTokens: (bytes: Buffer) => bytes.length % 4 === 0 && bytes.length > 0 },
  ];
  return {
    put: (tokens: Buffer | null) =>
      putVector(db, table, seq, Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0), tokens),
    pack: () => packVectors(db, id, models),
    use: (vectors: unknown) => useVectors(db, id, vectors, models),
    vector: () => freshVector(db, table, seq),
    tokens: () => tokensOf(db, table, [seq]).get(seq),
  };
}

test('tokens travel with the vector they were read with', () => {
  const [ana, bo] = [machine(), machine()];
  const tokens = Buffer.from('8bytes!!');
  ana.put(tokens);
  bo.use(ana.pack());
  expect(bo.vector()?.[0]).toBeCloseTo(1);
  expect(bo.tokens()).toEqual(tokens);
});

test('a vector without the tokens it should have, or with others, is left to be computed here', () => {
  const [ana, bo] = [machine(), machine()];
  ana.put(null);
  const [bare] = ana.pack();
  for (const vectors of [
    [bare],
    [{ ...bare, tokens: Buffer.from('odd').toString('base64') }],
    [{ ...bare, tokens: 7 }],
  ])
    bo.use(vectors);
  expect(bo.vector()).toBeNull();
});
