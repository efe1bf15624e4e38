import { contentTerms, stemOf, tokens } from './tokenise.ts';

/** The share of all their words that two texts have in common; 0 when neither has any. */
export function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = sharedBy(one, other);
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}

const LEAST_LETTERS = 3;
const vocabulary = (text: string) =>
  new Set(tokens(text, '_').filter((word) => word.length >= LEAST_LETTERS || /[^ -~]/.test(word)));

/** The share of the smaller text's vocabulary that the other one has, 0…1: high when one repeats the other. */
export function containment(one: string, other: string): number {
  const [a, b] = [vocabulary(one), vocabulary(other)];
  const smaller = Math.min(a.size, b.size);
  return smaller === 0 ? 0 : sharedBy(a, b) / smaller;
}

/** The share of a question's terms that a text has. A question without terms is covered by nothing. */
export function coverage(question: string, text: string): number {
  const terms = [...contentTerms(question)];
  return terms.length === 0 ? 0 : termsIn(terms)(text).length / terms.length;
}

/**
 * Finds those of a question's terms that a text has; a compound counts when all its parts occur. It is made once for
 * many texts.
 */
export function termsIn(terms: readonly string[]): (text: string) => string[] {
  const needle = (word: string) => stemOf(word) ?? word;
  const sought = terms.map((term) => ({ term, whole: needle(term), parts: partsOf(term).map(needle) }));
  return (text) => {
    const haystack = text.normalize('NFC').toLowerCase();
    return sought
      .filter(
        ({ whole, parts }) => haystack.includes(whole) || parts.every((part) => haystack.includes(part)),
      )
      .map(({ term }) => term);
  };
}

function partsOf(term: string): string[] {
  const parts = term.split(/[-_]+/).filter((part) => part.length >= LEAST_LETTERS);
  return parts.length > 1 ? parts : [term];
}

function sharedBy(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const word of few) if (many.has(word)) shared += 1;
  return shared;
}
