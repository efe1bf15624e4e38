import { expect, test } from 'vitest';
import { TOKEN_DIMS, tokensToBytes, type TokenVectors } from '../inference/token-vectors.ts';
import { ensureVectors, putVector } from '../store/search/vectors.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { matchTokens } from './late-interaction.ts';

/** Tokens that share nothing: each id has an axis of its own. */
function tokens(...ids: number[]): TokenVectors {
  const values = new Int8Array(ids.length * TOKEN_DIMS);
  ids.forEach((id, row) => (values[row * TOKEN_DIMS + id] = 127));
  return { ids: Uint16Array.from(ids), values };
}

/** Learnings whose texts have these tokens; null for one that has none yet. */
function storeWith(texts: ReadonlyArray<TokenVectors | null>) {
  const store = tempStore();
  const table = ensureVectors(store.db, 'model', 8, true);
  const seqs = texts.map((text, index) => {
    const { id } = given(store, { title: `learning ${index}` }).learning;
    const seq = store.db.prepare('SELECT seq FROM learning WHERE id = ?').pluck().get(id) as number;
    putVector(store.db, table, seq, new Float32Array(8).fill(1), text && tokensToBytes(text));
    return seq;
  });
  return { db: store.db, table, seqs };
}

test('the candidate that has more of the question comes first, and what all have in common counts least', () => {
  const { db, table, seqs } = storeWith([tokens(1, 2, 3), tokens(1, 4), tokens(1, 5)]);
  const [both = 0, common = 0, alike = 0] = matchTokens(db, table, tokens(1, 2), seqs) ?? [];
  expect(both).toBeGreaterThan(common);
  expect(common).toBe(alike);
  const [rare = 0, frequent = 0] = matchTokens(db, table, tokens(1, 2), [seqs[0] ?? 0, seqs[1] ?? 0]) ?? [];
  expect(rare - frequent).toBeGreaterThan(frequent);
});

test('tokens decide nothing while one of the candidates, or the question, has none', () => {
  const { db, table, seqs } = storeWith([tokens(1), null]);
  expect(matchTokens(db, table, tokens(1), seqs)).toBeNull();
  expect(matchTokens(db, table, tokens(), seqs.slice(0, 1))).toBeNull();
});
