import { looksRandom } from './looks-random.ts';
import type { Span } from './named.ts';
import { IS_ID, isNameThere, isPlaceholder, NAMES_OF_METHODS } from './rule.ts';
import { isSpeltWithDigits } from './spelt-with-digits.ts';

/** A digit or a sign where only a chosen password has one; quick to look for, for most texts have none. */
const CORE =
  /[A-Za-z](?:[013457]|00)[A-Za-z@$]|[A-Za-z\d][!#$%^](?=[A-Za-z\d])|\d{2}[!#$%](?!\w)|[A-Z][a-z]*[-_]?\d{1,4}(?![\w-])/g;

const IN_RUN = /[\w!#$%^&@*?~.\\/+=:-]/;
const LONGEST = 40;
/** Between spaces, quotes and brackets, or the value of an assignment: no path, address, flag or piece of code. */
const WHOLE = /^(?:[\w.-]{1,60}[:=])?([A-Za-z\d][\w!#$%^&@*?~-]{5,31})[.:?]?$/;

/** Passwords that people chose, by what they look like: they need no name beside them. */
export function chosenPasswords(text: string): Span[] {
  const spans: Span[] = [];
  CORE.lastIndex = 0;
  for (let core = CORE.exec(text); core; core = CORE.exec(text)) {
    const [start, end] = runAround(text, core.index);
    const [, value] = WHOLE.exec(text.slice(start, end)) ?? [];
    const at = value ? text.indexOf(value, start) : start;
    if (
      value &&
      isChosen(value) &&
      !isNameThere(value, text.slice(Math.max(0, at - 12), at), text.slice(end, end + 3))
    ) {
      spans.push({ start: at, end: at + value.length });
    }
    CORE.lastIndex = Math.max(end, core.index + 1);
  }
  return spans;
}

function runAround(text: string, at: number): [start: number, end: number] {
  let [start, end] = [at, at];
  while (start > 0 && at - start < LONGEST && IN_RUN.test(text.charAt(start - 1))) start--;
  while (end < text.length && end - at < LONGEST && IN_RUN.test(text.charAt(end))) end++;
  return [start, end];
}

const isChosen = (value: string): boolean =>
  (isSpeltWithDigits(value) || isComposed(value) || IS_MADE_OF_WORDS.test(value)) &&
  !isPlaceholder(value) &&
  !IS_ID.test(value) &&
  !NAMES_OF_METHODS.test(value);

/** A small word, one in capitals and a number, as no text of a session has them: `kiwi-Mango-3`; or `marble77!`. */
const IS_MADE_OF_WORDS =
  /^(?!(?:\w+-)?(?:release|feature|user|my|test|step|page|claude|gpt|llama|id|sha|pre|non|x)-)[a-z]{3,}(?:-[a-z]+)*-[A-Z][a-z]*-?\d{1,4}!?$|^[a-z]{5,}\d{2,4}[!#%&]$/;

/** `Summer2024!`, `Gelato!9`, `xK9#mQ2$vL`; a version, an address and a place in a file are none. */
const isComposed = (value: string): boolean =>
  /^\p{L}\p{Ll}{3,}(?:\d{3,4}[!#$%]|!\d{2,4}[!#$%]?)$|^\p{Lu}\p{Ll}{3,}!\d$/u.test(value) ||
  (value.length >= 8 &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    /\d/.test(value) &&
    /[!#$%^]/.test(value) &&
    !/@v?\d|%[\dA-Fa-f]{2}|%\d*[a-z]\b|^\w+[#$]\w+$/.test(value) &&
    looksRandom(value));
