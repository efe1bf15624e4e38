/** Something that can be told of a moment, and how much it speaks for a lesson before any data was seen (log-odds). */
export interface Cue<M> {
  why: string;
  prior: number;
  /** How much of it there is, 0…1; most cues are there or not. */
  holds(moment: M): boolean | number;
}

/** What the data made of the priors: written by bench/fit-judge.ts. A cue it has not met keeps its prior. */
export interface Weights {
  bias: number;
  cues: Record<string, number>;
}

export interface Verdict {
  /** How likely it is that a person would keep this as a lesson. */
  probability: number;
  /** The cues that spoke for it, strongest first. */
  why: string[];
}

const REASONS = 4;

/** A small linear model: the sum of what each cue says. Its explanation is that same sum, sorted. */
export function judge<M>(cues: ReadonlyArray<Cue<M>>, { bias, cues: weights }: Weights, moment: M): Verdict {
  const heard = cues
    .map((cue) => ({ why: cue.why, says: Number(cue.holds(moment)) * (weights[cue.why] ?? cue.prior) }))
    .filter(({ says }) => says !== 0);
  const odds = heard.reduce((sum, { says }) => sum + says, bias);
  const why = heard
    .filter(({ says }) => says > 0.1)
    .sort((one, other) => other.says - one.says)
    .slice(0, REASONS)
    .map((cue) => cue.why);
  return { probability: 1 / (1 + Math.exp(-odds)), why };
}
