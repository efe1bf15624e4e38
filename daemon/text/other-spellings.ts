const LETTERS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };
/** A word of letters and such digits: `1gn0re`. */
const MIXED = /(?<!\w)(?=[a-z\d]*[a-z])(?=[a-z\d]*[013457])[a-z013457]{3,}(?!\w)/gi;
const PAYLOAD = /(?<![\w+/])(?:(?:[\da-f]{2}){10,}|[A-Za-z\d+/]{20,}={0,2})(?![\w+/])/g;
/** A run of characters by their numbers: `%69%67`, `\\x69`, `\\u0069`, `&#105;`, `&#x69;`. */
const BY_NUMBER = /(?:(?:%|\\x|\\u00|&#x)[\da-f]{2};?|&#\d{2,3};){4,}/gi;
const READABLE = /^[\p{L}\p{N}\p{P}\p{S}\s]{12,}$/u;

/** The plain forms of a text that spells its words in another way: digits for letters, base64, hex, rot13. */
export function otherSpellings(text: string): string[] {
  const inLetters = text.replace(MIXED, (word) => word.replace(/\d/g, (digit) => LETTERS[digit] ?? digit));
  const decoded = Array.from(text.matchAll(PAYLOAD), ([payload]) =>
    Buffer.from(payload, /^[\da-f]+$/i.test(payload) ? 'hex' : 'base64').toString('utf8'),
  ).filter((plain) => READABLE.test(plain) && !plain.includes('\uFFFD'));
  const rewritten = [
    inLetters,
    text.replace(BY_NUMBER, byNumber),
    /\brot-?13\b/i.test(text) ? rot13(text) : text,
  ];
  return [...rewritten.filter((one) => one !== text), ...decoded];
}

const byNumber = (run: string) =>
  run.replace(/(?:%|\\x|\\u00|&#x)([\da-f]{2});?|&#(\d{2,3});/gi, (_, hex?: string, decimal?: string) =>
    String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );

const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCodePoint(first + ((letter.charCodeAt(0) - first + 13) % 26));
  });
