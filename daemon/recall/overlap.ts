import { isStopWord } from '../store/search/words.ts';

/** Words of at least three characters that carry meaning: what coverage and the cache compare by. */
export function contentTerms(text: string): Set<string> {
  return new Set(
    (text.toLowerCase().match(/[a-z0-9][a-z0-9_-]{2,}/g) ?? []).filter((term) => !isStopWord(term)),
  );
}

/** The share of a question's terms that a text covers; a compound counts when all its parts occur. No terms: fully covered. */
export function lexicalOverlap(query: string, text: string): number {
  const terms = contentTerms(query);
  if (terms.size === 0) return 1;
  const haystack = text.toLowerCase();
  const covered = [...terms].filter(
    (term) => haystack.includes(term) || partsOf(term).every((part) => haystack.includes(part)),
  );
  return covered.length / terms.size;
}

function partsOf(term: string): string[] {
  const parts = term.split(/[-_]/).filter((part) => part.length >= 3);
  return parts.length > 1 ? parts : [term];
}

export function jaccard(one: Set<string>, other: Set<string>): number {
  const shared = [...one].filter((term) => other.has(term)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}
