/** The value below which this share of the sorted values lies (nearest rank: always a value that was measured). */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('nothing was measured');
  const sorted = values.toSorted((a, b) => a - b);
  const rank = Math.min(sorted.length, Math.max(1, Math.ceil(sorted.length * share)));
  return sorted[rank - 1] as number; // the rank lies within the array
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export interface Spread {
  /** The fastest of all: on a busy machine, the closest to an idle one. */
  best: number;
  p50: number;
  p95: number;
}

/**
 * Each figure is the median over rounds: a round disturbed by another process does not become the result, and no
 * round is chosen for being good.
 */
export function acrossRounds(rounds: readonly number[][]): Spread {
  const middle = (share: number) => median(rounds.map((round) => percentile(round, share)));
  return { best: Math.min(...rounds.flat()), p50: middle(0.5), p95: middle(0.95) };
}

/** Figures for programs, each with four digits. */
export function roundedJson(figures: object): string {
  const rounded = (_key: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  return `${JSON.stringify(figures, rounded, 2)}\n`;
}

/** Milliseconds that some work took. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The same numbers for the same seed, on every machine (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random number from the standard normal distribution (Box–Muller). */
export function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
