import weights from './blend-weights.json' with { type: 'json' };
import { standardScores } from './standard-scores.ts';

/** Evidence of each kind about the same candidates, one number per candidate. */
export interface Evidence {
  /** BM25, 0 for what shares no word. */
  words: number[];
  /** Calibrated similarity, one list for each embedder, the first one first. */
  similarities: number[][];
  /** How well the question's tokens are matched (late-interaction.ts); null where they are not compared. */
  tokens: number[] | null;
  /** The share of code among what was found by meaning. Code rarely has the words of a question about it. */
  code: number;
}

/** Properties of a question that decide which evidence to trust; each about 0 in the middle, or 0 if absent. */
export const TRAITS = [
  'always',
  'agreement of words and meaning',
  'peak of words',
  'lead by words',
  'lead by meaning',
  'share of code',
] as const;

const TOP = 10;
// The usual spread of a hundred candidates: a handful that all fit must not be separated as sharply as a hundred.
const LEAST_SPREAD_OF_WORDS = 0.2; // of the best score
const LEAST_SPREAD_OF_MEANING = 0.1;
const LEAST_SPREAD_OF_TOKENS = 0.02;

export interface Blended {
  scores: number[];
  says: string;
}

/** A weight of an evidence is its usual one plus what the question's traits add, fitted by bench/fit-blend.ts. */
export function blendScores(evidence: Evidence): Blended {
  const { features, traits } = describe(evidence);
  const table = weightsFor(evidence);
  const effective = features.map((_, feature) =>
    traits.reduce((sum, trait, row) => sum + trait * (table[row]?.[feature] ?? 0), 0),
  );
  const scores = evidence.words.map((_, index) =>
    features.reduce((sum, values, feature) => sum + (effective[feature] ?? 0) * (values[index] ?? 0), 0),
  );
  const [shared = 0, , ...rest] = effective;
  const meaning = rest.slice(0, evidence.similarities.length);
  const tokens = rest[evidence.similarities.length];
  return {
    scores,
    says:
      meaning.length === 0
        ? 'by words alone'
        : `words weigh ${shared.toFixed(2)}, meaning ${meaning.map((weight) => weight.toFixed(2)).join(' and ')}${tokens === undefined ? '' : `, tokens ${tokens.toFixed(2)}`}`,
  };
}

function weightsFor({ similarities, tokens }: Evidence): number[][] {
  if (similarities.length === 0) return weights.none;
  if (similarities.length === 1) return tokens ? weights.lead : weights.one;
  return tokens ? weights.tokens : weights.two;
}

/** The numbers the weights apply to: standard scores of words and of meaning, and whether any word is shared. */
export function describe({ words, similarities, tokens, code }: Evidence): {
  features: number[][];
  traits: number[];
} {
  const lexical = standardScores(words, LEAST_SPREAD_OF_WORDS * Math.max(...words, 0)).scores;
  const semantic = similarities.map((list) => standardScores(list, LEAST_SPREAD_OF_MEANING).scores);
  const [meaning = []] = semantic;
  const matched = tokens ? [standardScores(tokens, LEAST_SPREAD_OF_TOKENS).scores] : [];
  const features = [lexical, words.map((score) => (score > 0 ? 1 : 0)), ...semantic, ...matched];
  const traits =
    semantic.length === 0
      ? [1]
      : [
          1,
          sharedTop(lexical, meaning) - 0.3,
          Math.min(6, highest(lexical, 1)) / 3 - 1,
          (highest(lexical, 1) - highest(lexical, 5)) / 2,
          (highest(meaning, 1) - highest(meaning, 5)) / 2,
          code,
        ];
  return { features, traits };
}

export const highest = (values: number[], place: number) => Float64Array.from(values).sort().at(-place) ?? 0;

/** The overlap of the best by words and the best by meaning. */
function sharedTop(one: number[], other: number[]): number {
  const best = (values: number[]) =>
    new Set(
      values
        .map((value, index) => ({ value, index }))
        .toSorted((a, b) => b.value - a.value)
        .slice(0, TOP)
        .map(({ index }) => index),
    );
  const second = best(other);
  return [...best(one)].filter((index) => second.has(index)).length / TOP;
}
