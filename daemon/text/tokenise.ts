import { stopWordsFor } from './stop-words.ts';

/** Characters that join two words into one: an apostrophe (don't), or those of identifiers and paths. */
type Joiners = '' | "'" | '_' | '_-' | '_./-';

const WORD = String.raw`[\p{L}\p{N}\p{M}]+`;
const PATTERNS: Readonly<Record<Joiners, RegExp>> = {
  '': new RegExp(WORD, 'gu'),
  "'": new RegExp(`${WORD}(?:'${WORD})*`, 'gu'),
  _: new RegExp(`${WORD}(?:_+${WORD})*`, 'gu'),
  '_-': new RegExp(`${WORD}(?:[_-]+${WORD})*`, 'gu'),
  '_./-': new RegExp(`${WORD}(?:[_./-]+${WORD})*`, 'gu'),
};

/** Scripts that put no spaces between words. Katakana runs and anything else between them stay whole. */
const KATAKANA = String.raw`[\p{Script=Katakana}ー]`;
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]`;
const HAS_UNSPACED = new RegExp(`${KATAKANA}|${UNSPACED}`, 'u');
const RUNS = new RegExp(`${KATAKANA}+|(?:${UNSPACED}|々)+|(?:(?!${KATAKANA}|${UNSPACED}|々).)+`, 'gu');
const NEEDS_DICTIONARY = new RegExp(UNSPACED, 'u');
const LONGEST_RUN = 1_000; // letters: no prose goes on for longer without a stop, and the dictionary is slow
const KANA_ONLY = /^[\p{Script=Hiragana}ー]+$/u;

// Japanese and Chinese share one dictionary in ICU, so the locale does not matter.
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** The words of a text in lower case, whatever the script. Everything that compares texts by words starts here. */
export function tokens(text: string, joiners: Joiners = ''): string[] {
  const found = text.normalize('NFC').toLowerCase().match(PATTERNS[joiners]) ?? [];
  return found.some(isUnspaced) ? found.flatMap(segments) : found;
}

/** A run of letters without spaces as its words; any other word as it is. */
function segments(run: string): string[] {
  if (!isUnspaced(run)) return [run];
  return (run.slice(0, LONGEST_RUN).match(RUNS) ?? []).flatMap((part) =>
    NEEDS_DICTIONARY.test(part)
      ? [...segmenter.segment(part)].map(({ segment }) => segment)
      : [part.replace(/^[_./-]+|[_./-]+$/g, '')].filter(Boolean),
  );
}

const isUnspaced = (word: string) => HAS_UNSPACED.test(word);

/** How many words a text has: what spaces set apart, and the words of scripts that have no spaces. */
export const countWords = (text: string): number =>
  text.split(/\s+/).reduce((sum, part) => sum + (isUnspaced(part) ? tokens(part).length : 1), 0);

const LEAST_LETTERS = 3;

/**
 * Terms that carry meaning, compounds whole: what coverage, the cache and the prompt tier compare by. A Japanese or
 * Chinese word says as much in two letters as others in five; one in hiragana alone is mostly grammar.
 */
export function contentTerms(text: string): Set<string> {
  const all = tokens(text, '_-');
  const stopWords = stopWordsFor(all);
  return new Set(
    all.filter(
      (term) =>
        !stopWords.has(term) &&
        (isUnspaced(term) ? !KANA_ONLY.test(term) : [...term].length >= LEAST_LETTERS),
    ),
  );
}

/** Words of a question that carry meaning, identifiers also in parts; all of them when it has no other. */
export function contentWords(query: string): string[] {
  const words = tokens(withParts(query));
  const stopWords = stopWordsFor(words);
  const meaningful = words.filter((word) => !stopWords.has(word) && carriesMeaning(word));
  return [...new Set(meaningful.length > 0 ? meaningful : words)];
}

const carriesMeaning = (word: string) =>
  isUnspaced(word) ? !KANA_ONLY.test(word) : word.length > 1 || /\d/.test(word);

/**
 * A text with what a search index must also find it by: someone who asks for "recalc tax" means `recalcTax` too, and
 * SQLite takes a run of Japanese for one word.
 */
export function withParts(text: string): string {
  // Word by word: one expression for the whole identifier would try each letter of a long word as its hump.
  const humps = [...text.matchAll(/[A-Za-z0-9]+/g)]
    .filter(([word]) => /[a-z0-9][A-Z]/.test(word))
    .map(([word]) => word.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2'));
  const parts = isUnspaced(text) ? [...humps, ...tokens(text).filter(isUnspaced)] : humps;
  return parts.length > 0 ? `${text}\n${parts.join(' ')}` : text;
}

const LEAST_STEM = 4; // letters
const LONGEST_ENDING = 2;

/**
 * The beginning of a word that its inflected forms share, where no stemmer knows the language: SQLite's knows English
 * alone. Null for plain ASCII, which is left to that stemmer, and for words too short to lose an ending.
 */
export function stemOf(word: string): string | null {
  if (/^[ -~]*$/.test(word) || isUnspaced(word) || word.length < LEAST_STEM + 1) return null;
  return word.slice(0, Math.max(LEAST_STEM, word.length - LONGEST_ENDING));
}
