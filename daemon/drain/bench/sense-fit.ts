import type { Sense } from '../sense.ts';

/** A title's vector, its log-odds by the cues alone, and whether a reader says that it stands alone. */
export interface SenseExample {
  vector: ArrayLike<number>;
  odds: number;
  label: boolean;
}

const PULL = 8;
const SCALE = 5; // vectors have length one, and differ little: scaled, the pull is the same as that of cues
const ROUNDS = 150;

/**
 * The direction that explains what the cues leave open: logistic regression with their log-odds as offset, pulled
 * towards nothing. Accelerated gradient steps, because there are too many dimensions to solve it at once.
 */
export function fitSense(examples: readonly SenseExample[], model: string): Sense {
  const size = examples[0]?.vector.length ?? 0;
  const mean = average(examples, size);
  const rows = examples.map(({ vector }) =>
    Float64Array.from(mean, (m, i) => SCALE * ((vector[i] ?? 0) - m)),
  );
  const step = 1 / (0.25 * largest(rows, size) + PULL);
  let weights = new Float64Array(size);
  let ahead = weights;
  for (let round = 1; round <= ROUNDS; round++) {
    const gradient = ahead.map((weight) => PULL * weight);
    rows.forEach((row, index) => {
      const { odds = 0, label = false } = examples[index] ?? {};
      add(gradient, row, 1 / (1 + Math.exp(-(odds + dot(row, ahead)))) - Number(label));
    });
    const next = ahead.map((weight, i) => weight - step * (gradient[i] ?? 0));
    const momentum = (round - 1) / (round + 2);
    ahead = next.map((weight, i) => weight + momentum * (weight - (weights[i] ?? 0)));
    weights = next;
  }
  const direction = [...weights].map((weight) => round(SCALE * weight));
  return { model, direction, middle: round(dot(mean, direction)) };
}

function average(examples: readonly SenseExample[], size: number): Float64Array {
  const mean = new Float64Array(size);
  for (const { vector } of examples) add(mean, vector, 1 / examples.length);
  return mean;
}

/** The largest curvature, by power iteration: it bounds the step. */
function largest(rows: readonly Float64Array[], size: number): number {
  let direction = new Float64Array(size).fill(1 / Math.sqrt(size));
  let length = 0;
  for (let round = 0; round < 20; round++) {
    const next = new Float64Array(size);
    for (const row of rows) add(next, row, dot(row, direction));
    length = Math.sqrt(dot(next, next)) || 1;
    direction = next.map((value) => value / length);
  }
  return length;
}

function add(to: Float64Array, row: ArrayLike<number>, times: number): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] ?? 0) + times * (row[i] ?? 0);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

const round = (value: number) => Math.round(value * 1_000) / 1_000;
