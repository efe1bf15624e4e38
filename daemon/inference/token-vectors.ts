import { dot } from '../platform/dot.ts';
import { Simd } from '../platform/simd.ts';
import projection from './token-projection.json' with { type: 'json' };

/** The tokens of a text, each with its own vector of length one. Late interaction compares texts token by token. */
export interface TokenVectors {
  ids: Uint16Array;
  /** `TOKEN_DIMS` for each token, times `SCALE`. */
  values: Int8Array;
}

export const TOKEN_DIMS = 64;
/** The model whose tokens the projection was fitted to. */
export const TOKEN_MODEL = projection.model;
const BYTES = 2 + TOKEN_DIMS; // per token
const MOST_TOKENS = 80; // five kilobytes a note
const SCALE = 254; // no coordinate of real tokens is beyond a half

const MATRIX = new Int8Array(Buffer.from(projection.matrix, 'base64'));
const WIDTH = MATRIX.length / TOKEN_DIMS; // of a token as the model sees it

/**
 * A token is projected onto the main axes of the model's tokens, which keep half of the variance in a sixth of the
 * space; whole vectors would rank better by less than .005 MRR.
 */
export function projectTokens(
  ids: readonly number[],
  hidden: Float32Array,
  isWord: (id: number) => boolean,
): TokenVectors {
  const width = hidden.length / ids.length;
  const last = ids.length - 1; // the first and the last token frame the text
  const kept = ids.flatMap((id, at) => (at > 0 && at < last && isWord(id) ? [at] : [])).slice(0, MOST_TOKENS);
  const sums = projected(kept.map((at) => hidden.subarray(at * width, (at + 1) * width)));
  const values = new Int8Array(kept.length * TOKEN_DIMS);
  for (let start = 0; start < values.length; start += TOKEN_DIMS) {
    const token = sums.subarray(start, start + TOKEN_DIMS);
    const length = Math.sqrt(dot(token, token)) || 1;
    for (let at = 0; at < TOKEN_DIMS; at++) {
      const value = Math.round(((token[at] as number) / length) * SCALE);
      values[start + at] = Math.max(-127, Math.min(127, value));
    }
  }
  return { ids: Uint16Array.from(kept, (at) => ids[at] ?? 0), values };
}

/** The main axes of each token, one after another, not yet of length one. */
type Project = (tokens: readonly Float32Array[]) => Float32Array;

let known: Project | null = null;
const projected: Project = (tokens) => (known ??= projectWithSimd() ?? projectInJavaScript)(tokens);

/** Null where there is no SIMD. */
export function projectWithSimd(): Project | null {
  const simd = Simd.create('timesMatrix', 4 * TOKEN_DIMS);
  if (!simd) return null;
  const rowsAt = 4 * MATRIX.length;
  const resultsAt = rowsAt + 4 * MOST_TOKENS * WIDTH;
  const memory = simd.memory(resultsAt + 4 * MOST_TOKENS * TOKEN_DIMS);
  new Float32Array(memory, 0, MATRIX.length).set(MATRIX);
  return (tokens) => {
    const rows = new Float32Array(memory, rowsAt);
    tokens.forEach((token, row) => rows.set(token, row * WIDTH));
    if (tokens.length > 0) simd.run(rowsAt, tokens.length, WIDTH, 0, resultsAt);
    return new Float32Array(memory, resultsAt, tokens.length * TOKEN_DIMS);
  };
}

export function projectInJavaScript(tokens: readonly Float32Array[]): Float32Array {
  const sums = new Float32Array(tokens.length * TOKEN_DIMS);
  tokens.forEach((token, row) => {
    for (let from = 0; from < token.length; from++)
      for (let to = 0; to < TOKEN_DIMS; to++)
        sums[row * TOKEN_DIMS + to] =
          (sums[row * TOKEN_DIMS + to] as number) +
          (token[from] as number) * (MATRIX[from * TOKEN_DIMS + to] as number);
  });
  return sums;
}

/** Compares the tokens of a question with those of texts. */
export class TokenMatcher {
  readonly #simd = Simd.create('largestProducts', TOKEN_DIMS);

  /** For each text: for each token of the question, the cosine of the most similar token of that text. */
  match(question: TokenVectors, texts: readonly TokenVectors[]): Float32Array[] {
    const largest = this.#simd ? withSimd(this.#simd, question) : inJavaScript(question);
    return texts.map(({ values }) => {
      const products = largest(values);
      const cosines = new Float32Array(products.length);
      for (let at = 0; at < cosines.length; at++) cosines[at] = (products[at] as number) / (SCALE * SCALE);
      return cosines;
    });
  }
}

/** The largest products, at least zero, of each token of a question with tokens of a text. */
type Largest = (text: Int8Array) => ArrayLike<number>;

function withSimd(simd: Simd, { values, ids: { length } }: TokenVectors): Largest {
  const bestAt = 2 * values.length;
  const rowsAt = bestAt + 4 * length;
  const memory = simd.memory(rowsAt + MOST_TOKENS * TOKEN_DIMS);
  new Int16Array(memory, 0, values.length).set(values);
  const best = new Int32Array(memory, bestAt, length);
  const rows = new Int8Array(memory, rowsAt);
  return (text) => {
    rows.set(text);
    best.fill(0);
    if (text.length > 0) simd.run(0, length, rowsAt, text.length / TOKEN_DIMS, bestAt);
    return best;
  };
}

export function inJavaScript({ values, ids }: TokenVectors): Largest {
  const product = (text: Int8Array, from: number, start: number) => {
    let sum = 0;
    for (let at = 0; at < TOKEN_DIMS; at++)
      sum += (values[from + at] as number) * (text[start + at] as number);
    return sum;
  };
  return (text) =>
    Array.from(ids, (_, row) => {
      let most = 0;
      for (let start = 0; start < text.length; start += TOKEN_DIMS)
        most = Math.max(most, product(text, row * TOKEN_DIMS, start));
      return most;
    });
}

/** As stored: all ids, all values. */
export function tokensToBytes({ ids, values }: TokenVectors): Buffer {
  return Buffer.concat(
    [ids, values].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
  );
}

/** True for what `tokensToBytes` may have written; it also comes from other machines. */
export const areTokens = (bytes: Buffer): boolean =>
  bytes.length > 0 && bytes.length % BYTES === 0 && bytes.length <= MOST_TOKENS * BYTES;

export function tokensFromBytes(bytes: Buffer): TokenVectors {
  const count = bytes.length / BYTES;
  const { buffer, byteOffset } = bytes.byteOffset % 2 === 0 ? bytes : new Uint8Array(bytes); // ids are aligned
  return {
    ids: new Uint16Array(buffer, byteOffset, count),
    values: new Int8Array(buffer, byteOffset + 2 * count, count * TOKEN_DIMS),
  };
}
