import { number } from '../ports/knob.ts';
import { byScore, type Outcome, type Ranked } from './port.ts';

/** 1 ± α/2, with α ≤ 1: it decides between near-equals, and what scores three times as much stays ahead (R8). */
export function boundedBoost(norm: number, alpha: number): number {
  return 1 + alpha * (Math.min(1, Math.max(0, norm)) - 0.5);
}

export const alphaKnob = (name: string, value: number, doc: string) =>
  number(name, { default: value, min: 0, max: 1, doc });

/** Applies a boost to every candidate; `normOf` gives 0…1 with 0.5 for "nothing to say". */
export function applyBoost(
  candidates: Ranked[],
  alpha: number,
  says: string,
  normOf: (candidate: Ranked) => number,
): Outcome<Ranked[]> {
  const boosted = candidates.map((candidate) => {
    const factor = boundedBoost(normOf(candidate), alpha);
    return { ...candidate, score: candidate.score * factor, note: `×${factor.toFixed(3)}` };
  });
  return { result: byScore(boosted), says };
}
