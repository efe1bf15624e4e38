import { expect, test } from 'vitest';
import {
  inJavaScript,
  projectInJavaScript,
  projectTokens,
  projectWithSimd,
  TOKEN_DIMS,
  TokenMatcher,
  tokensFromBytes,
  tokensToBytes,
  type TokenVectors,
} from './token-vectors.ts';

const WIDTH = 384;

/** A text of these tokens, framed as a model reads it; tokens of one id have one vector. */
function textOf(ids: number[], isWord = (_id: number) => true): TokenVectors {
  const framed = [101, ...ids, 102];
  const hidden = Float32Array.from(
    framed.flatMap((id) => Array.from({ length: WIDTH }, (_, at) => Math.sin(id * 7 + at * (id % 11)))),
  );
  return projectTokens(framed, hidden, isWord);
}

test('a token is most similar to itself, wherever it stands', () => {
  const [[same, other] = []] = new TokenMatcher().match(textOf([2000, 3001]), [textOf([5005, 2000, 4004])]);
  expect(same).toBeCloseTo(1, 1);
  expect(other).toBeLessThan(0.9);
});

test('texts are compared alike with and without SIMD, the longest and an empty one too', () => {
  const question = textOf([2000, 3001, 4002]);
  const texts = [[5005, 2000], [], Array.from({ length: 80 }, (_, at) => 3000 + at)].map((ids) =>
    textOf(ids),
  );
  const plain = inJavaScript(question);
  const scale = 254 ** 2;
  expect(new TokenMatcher().match(question, texts)).toEqual(
    texts.map(({ values }) => Float32Array.from(plain(values), (product) => product / scale)),
  );
});

test('tokens are projected alike with and without SIMD, as many as a text may have', () => {
  const tokens = Array.from({ length: 80 }, (_, row) =>
    Float32Array.from({ length: WIDTH }, (__, at) => Math.sin(row * 7 + at * 1.3)),
  );
  const withSimd = projectWithSimd();
  for (const count of [80, 1, 0]) {
    const some = tokens.slice(0, count);
    const expected = projectInJavaScript(some);
    expect(withSimd?.(some)).toHaveLength(expected.length);
    withSimd?.(some).forEach((sum, at) => expect(sum).toBeCloseTo(expected[at] ?? NaN, 1));
  }
});

test('what frames the text and what is no word is left out', () => {
  expect([...textOf([2000, 1012, 3001], (id) => id !== 1012).ids]).toEqual([2000, 3001]);
});

test('a long text is cut, so that a note takes no more than five kilobytes', () => {
  const tokens = textOf(Array.from({ length: 400 }, (_, at) => 2000 + at));
  expect(tokensToBytes(tokens).length).toBeLessThanOrEqual(5_400);
});

test('tokens are read as they were stored, also from a buffer at an odd place', () => {
  const tokens = textOf([2000, 3001, 4002]);
  const bytes = Buffer.concat([Buffer.alloc(1), tokensToBytes(tokens)]).subarray(1);
  expect(tokensFromBytes(bytes)).toEqual(tokens);
  expect(tokens.values).toHaveLength(3 * TOKEN_DIMS);
});
