export interface Example {
  label: boolean;
  /** How much it counts. */
  weight: number;
  features: number[];
}

export interface Fitted {
  bias: number;
  weights: number[];
}

const ROUNDS = 25;
const LONGEST_STEP = 1; // log-odds a round: a full Newton step from far away overshoots
const FREE = 0.001; // the bias is almost free of its prior

/**
 * Logistic regression whose weights are pulled towards their priors by `pull`: a cue with little data keeps
 * its prior instead of fitting noise. Newton's method solves it exactly, so the same data gives the same weights.
 */
export function fit(examples: readonly Example[], priors: readonly number[], pull: number): Fitted {
  const start = [...priors, -1];
  const held = [...priors.map(() => pull), FREE];
  let weights = [...start];
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = weights.map((weight, i) => (held[i] ?? 0) * (weight - (start[i] ?? 0)));
    const curvature = weights.map((_, i) => weights.map((_, j) => (i === j ? (held[i] ?? 0) : 0)));
    for (const example of examples) addExample(example, weights, gradient, curvature);
    const step = solve(curvature, gradient);
    const scale = Math.min(1, LONGEST_STEP / Math.max(...step.map(Math.abs)));
    weights = weights.map((weight, i) => weight - scale * (step[i] ?? 0));
  }
  return { bias: weights.at(-1) ?? 0, weights: weights.slice(0, -1) };
}

function addExample(
  { features, label, weight }: Example,
  weights: number[],
  gradient: number[],
  curvature: number[][],
): void {
  const inputs = [...features, 1];
  const p = sigmoid(dot(inputs, weights));
  const error = (p - Number(label)) * weight;
  const spread = Math.max(p * (1 - p), 1e-4) * weight;
  inputs.forEach((x, i) => {
    if (x === 0) return;
    gradient[i] = (gradient[i] ?? 0) + error * x;
    const row = curvature[i] ?? [];
    inputs.forEach((y, j) => {
      row[j] = (row[j] ?? 0) + spread * x * y;
    });
  });
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

/** Gaussian elimination with pivoting. */
function solve(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  const n = rows.length;
  const at = (r: number, c: number) => rows[r]?.[c] ?? 0;
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let r = column + 1; r < n; r++) if (Math.abs(at(r, column)) > Math.abs(at(pivot, column))) pivot = r;
    [rows[column], rows[pivot]] = [rows[pivot] ?? [], rows[column] ?? []];
    for (let r = column + 1; r < n; r++) {
      const factor = at(r, column) / at(column, column);
      if (factor !== 0)
        rows[r] = (rows[r] ?? []).map((value, c) => (c < column ? value : value - factor * at(column, c)));
    }
  }
  const solution = new Array<number>(n).fill(0);
  for (let r = n - 1; r >= 0; r--) {
    let value = at(r, n);
    for (let c = r + 1; c < n; c++) value -= at(r, c) * (solution[c] ?? 0);
    solution[r] = value / at(r, r);
  }
  return solution;
}
