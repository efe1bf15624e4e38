import type { Hit } from '#contract/recall.ts';
import type { Matched } from '../store/outcomes/session-uses.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';
import { type fieldNamed, projected } from './modes/fields.ts';
import type { Ranked } from './port.ts';
import { renderLearning } from './render.ts';

/** A ranked learning as it is answered; with a field, only the value of that field counts. */
export function hitOf(
  { learning, score, matched, relevance, linked, weak }: Ranked,
  rank: number,
  field: ReturnType<typeof fieldNamed> | null,
): Hit {
  const value = field && projected(learning, field);
  return {
    learning,
    score,
    rank,
    tokens: estimateTokens(field ? String(value ?? '') : renderLearning(learning)),
    ...(matched ? { matched: [...matched] } : {}),
    ...(relevance === undefined ? {} : { relevance: twoPlaces(relevance) }),
    ...(linked === undefined ? {} : { linked }),
    ...(weak ? { weak } : {}),
    ...(field ? { value } : {}),
  };
}

export const strongIn = (hits: Hit[]) => hits.filter(({ weak }) => !weak);
export const twoPlaces = (share: number) => Math.round(share * 100) / 100;

/** By learning, the words of the question that it was found by. */
export const matchedIn = (hits: readonly Hit[]): Matched =>
  Object.fromEntries(hits.flatMap(({ learning, matched }) => (matched ? [[learning.id, matched]] : [])));
