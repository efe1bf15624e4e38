import type { Output } from '#contract/methods.ts';

/** Whole notes cost tokens, so of hits that are no answer an agent gets the titles alone, apart from the others. */
export function separateWeakHits({ hits, ...answer }: Output<'recall.search'>): object {
  const lessRelevant = hits
    .filter(({ weak }) => weak)
    .map(({ learning: { id, title }, relevance }) => ({ id, title, relevance }));
  return { ...answer, hits: hits.filter(({ weak }) => !weak), lessRelevant };
}
