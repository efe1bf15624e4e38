import { shareOfWords } from './spelt-with-digits.ts';

/** True for a value that looks random rather than written: no words, paths, dates, sizes or names of code. */
export function looksRandom(value: string): boolean {
  if (/[(){}[\]<>|]|^\d{4}-\d\d-\d\d/.test(value)) return false;
  if (readable(value)) return false;
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  // Keys without a digit exist; then only mixed case in the middle of a run separates them from words.
  if (!/\d/.test(value))
    return classes >= 2 && value.length >= 20 && entropy(value) > 4 && shareOfWords(value) < 0.6;
  return classes >= 3 || (classes >= 2 && entropy(value) > 3);
}

/**
 * Every piece is a word, a word with a short number, or a number with a unit: `maxTokens2`, `Float32Array`,
 * `src/auth/token.ts`, `12.5k`.
 */
function readable(value: string): boolean {
  const pieces = value
    .slice(0, 200)
    .replace(/([a-z]|[A-Za-z][a-z]{2}\d{1,2})([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\d]+/u)
    .filter((piece) => piece !== '');
  const words = pieces.filter((piece) => /^\d?(?:\p{L}\p{Ll}*|\p{Lu}+)\d{0,2}$|^\d+\p{L}{0,2}$/u.test(piece));
  const spoken = pieces.filter((piece) => /[aeiouy]|^\d+$/i.test(piece));
  // A key cut up by its digits also has pieces that could be words; they are many and short, or cannot be spoken.
  return (
    words.length === pieces.length &&
    value.length / Math.max(1, pieces.length) > 2.5 &&
    (pieces.length < 4 || spoken.length > pieces.length / 2)
  );
}

/** Bits per character: words of a language stay below 3, keys lie above. */
function entropy(value: string): number {
  const frequencies = new Map<string, number>();
  for (const character of value) frequencies.set(character, (frequencies.get(character) ?? 0) + 1);
  return [...frequencies.values()].reduce(
    (sum, n) => sum - (n / value.length) * Math.log2(n / value.length),
    0,
  );
}

/**
 * Its longest part changes between capitals, small letters and digits nearly as often as chance would; a date does not.
 * With only two of them it must be longer, and no hash or ULID.
 */
export function isDrawn(tail: string): boolean {
  const [longest = ''] = tail.split(/[_.-]/).toSorted((one, other) => other.length - one.length);
  const kinds = longest
    .replace(/[a-z]/g, 'a')
    .replace(/[A-Z]/g, 'A')
    .replace(/\d/g, '0')
    .replace(/[^aA0]/g, '');
  const changes = [...kinds].filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  if (!/0/.test(kinds) || changes / kinds.length <= 0.35) return false;
  return /a/.test(kinds) && /A/.test(kinds)
    ? kinds.length >= 12
    : kinds.length >= 20 && !/^(?:[0-9a-f]+|[0-9A-F]+|0[0-9A-Z]{25})$/.test(longest);
}
