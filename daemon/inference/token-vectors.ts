import { bitsInThree, signsOf } from '../platform/signs.ts';
import projection from './token-projection.json' with { type: 'json' };

/** The tokens of a text, each with its own vector of length one. Late interaction compares texts token by token. */
export interface TokenVectors {
  ids: Uint16Array;
  /** `TOKEN_DIMS` for each token, times `SCALE`. */
  values: Int8Array;
  /** A bit for each of them, set where it is positive. */
  signs: Uint32Array;
}

export const TOKEN_DIMS = 64;
/** The model whose tokens the projection was fitted to. */
export const TOKEN_MODEL = projection.model;
const SIGN_WORDS = 2; // per token, a bit for each dimension
const BYTES = 2 + 4 * SIGN_WORDS + TOKEN_DIMS; // per token
const MOST_TOKENS = 80; // six kilobytes a note
const SCALE = 254; // no coordinate of real tokens is beyond a half
/** Comparing signs is twenty times as fast, so only tokens whose signs are about as near as the nearest are compared as a whole. */
const MARGIN = 6;
const FAR = 23; // signs; where even the nearest differs in more, nothing matches, and one of them tells it

const MATRIX = new Int8Array(Buffer.from(projection.matrix, 'base64'));

/**
 * A token is projected onto the main axes of the model's tokens, which keep half of the variance in a sixth of the space; whole
 * vectors would rank better by less than .005 MRR.
 */
export function projectTokens(
  ids: readonly number[],
  hidden: Float32Array,
  isWord: (id: number) => boolean,
): TokenVectors {
  const width = hidden.length / ids.length;
  const last = ids.length - 1; // the first and the last token frame the text
  const kept = ids.flatMap((id, at) => (at > 0 && at < last && isWord(id) ? [at] : [])).slice(0, MOST_TOKENS);
  const values = new Int8Array(kept.length * TOKEN_DIMS);
  kept.forEach((at, row) =>
    values.set(projected(hidden.subarray(at * width, (at + 1) * width)), row * TOKEN_DIMS),
  );
  return { ids: Uint16Array.from(kept, (at) => ids[at] ?? 0), values, signs: signsOf(values) };
}

function projected(token: Float32Array): Int8Array {
  const sums = new Float32Array(TOKEN_DIMS);
  for (let from = 0; from < token.length; from++) {
    const value = token[from] as number;
    for (let to = 0; to < TOKEN_DIMS; to++)
      sums[to] = (sums[to] as number) + value * (MATRIX[from * TOKEN_DIMS + to] as number);
  }
  const length = Math.hypot(...sums) || 1;
  return Int8Array.from(sums, (sum) => Math.max(-127, Math.min(127, Math.round((sum / length) * SCALE))));
}

/** For each token of the one text, the cosine of the most similar token of the other. */
export function bestMatches(one: TokenVectors, other: TokenVectors): Float32Array {
  const best = new Float32Array(one.ids.length);
  const distances = new Uint8Array(other.ids.length);
  for (let row = 0; row < best.length; row++) {
    const least = compareSigns(one.signs, row, other.signs, distances);
    const limit = Math.min(least + MARGIN, Math.max(least, FAR));
    let most = 0;
    for (let at = 0; at < distances.length; at++) {
      if ((distances[at] as number) > limit) continue;
      const match = dot(one.values, row * TOKEN_DIMS, other.values, at * TOKEN_DIMS);
      if (match > most) most = match;
    }
    best[row] = most / (SCALE * SCALE);
  }
  return best;
}

/** Fills in how many signs differ and returns the least. */
function compareSigns(one: Uint32Array, row: number, other: Uint32Array, distances: Uint8Array): number {
  const [low, high] = [one[2 * row] as number, one[2 * row + 1] as number];
  let least = TOKEN_DIMS;
  for (let at = 0; at < distances.length; at++) {
    const differ = bitsInThree(low ^ (other[2 * at] as number), high ^ (other[2 * at + 1] as number), 0);
    distances[at] = differ;
    if (differ < least) least = differ;
  }
  return least;
}

function dot(one: Int8Array, from: number, other: Int8Array, start: number): number {
  let [sum, second, third, fourth] = [0, 0, 0, 0]; // four, because each addition waits for the one before it
  for (let i = 0; i < TOKEN_DIMS; i += 4) {
    sum += (one[from + i] as number) * (other[start + i] as number);
    second += (one[from + i + 1] as number) * (other[start + i + 1] as number);
    third += (one[from + i + 2] as number) * (other[start + i + 2] as number);
    fourth += (one[from + i + 3] as number) * (other[start + i + 3] as number);
  }
  return sum + second + third + fourth;
}

/** As stored: all signs, all ids, all values. */
export function tokensToBytes({ ids, values, signs }: TokenVectors): Buffer {
  return Buffer.concat(
    [signs, ids, values].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
  );
}

/** True for what `tokensToBytes` may have written; it also comes from other machines. */
export const areTokens = (bytes: Buffer): boolean =>
  bytes.length > 0 && bytes.length % BYTES === 0 && bytes.length <= MOST_TOKENS * BYTES;

export function tokensFromBytes(bytes: Buffer): TokenVectors {
  const count = bytes.length / BYTES;
  const { buffer } = new Uint8Array(bytes); // a copy, so that the parts are aligned
  const idsAt = count * SIGN_WORDS * 4;
  return {
    signs: new Uint32Array(buffer, 0, count * SIGN_WORDS),
    ids: new Uint16Array(buffer, idsAt, count),
    values: new Int8Array(buffer, idsAt + count * 2),
  };
}
