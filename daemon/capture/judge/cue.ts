/** A property of a moment, and how much it speaks for a lesson before any data was seen (log-odds). */
export interface Cue<M> {
  /** Weights, evidence and stored moments know it by this; it never changes. */
  id: string;
  /** The reason as a person reads it; may be reworded at will. */
  why: string;
  /** The same where it speaks against the moment, if the words above would not fit. */
  whyNot?: string;
  prior: number;
  /** How much of it there is, 0…1; most cues are there or not. */
  holds: (moment: M) => boolean | number;
}

/** The priors after fitting, by cue id, written by bench/fit-judge.ts. A cue without one keeps its prior. */
export interface Weights {
  bias: number;
  cues: Record<string, number>;
}

/** One set of weights for each judge. */
export interface JudgeWeights {
  human: Weights;
  finding: Weights;
}

export interface Verdict {
  /** How likely it is that a person would keep this as a lesson. */
  probability: number;
  /** The cues that spoke for it, strongest first: their ids, and their words. */
  cues: string[];
  why: string[];
  /** The words of the cues that spoke against it, strongest first. */
  against: string[];
}

const REASONS = 4;
const LEAST_REASON = 0.1; // log-odds; a cue that adds less is no reason

/** A small linear model: the sum of what each cue says. Its explanation is that same sum, sorted. */
export function judge<M>(cues: ReadonlyArray<Cue<M>>, { bias, cues: weights }: Weights, moment: M): Verdict {
  const heard = cues
    .map((cue) => ({ cue, says: Number(cue.holds(moment)) * (weights[cue.id] ?? cue.prior) }))
    .filter(({ says }) => says !== 0);
  const odds = heard.reduce((sum, { says }) => sum + says, bias);
  const reasons = (sign: 1 | -1) =>
    heard
      .filter(({ says }) => sign * says > LEAST_REASON)
      .sort((one, other) => sign * (other.says - one.says))
      .slice(0, REASONS)
      .map(({ cue }) => cue);
  return {
    probability: 1 / (1 + Math.exp(-odds)),
    cues: reasons(1).map(({ id }) => id),
    why: reasons(1).map(({ why }) => why),
    against: reasons(-1).map(({ why, whyNot = why }) => whyNot),
  };
}
