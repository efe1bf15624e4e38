/** Suffixes with what replaces them; the first that ends the word decides, whether or not its stem is long enough. */
type Rules = ReadonlyArray<readonly [suffix: string, replacement: string]>;

const rules = (list: string): Rules =>
  list
    .trim()
    .split(/\s+/)
    .map((rule) => rule.split(':') as [string, string]);

const DERIVED =
  rules(`ational:ate tional:tion enci:ence anci:ance izer:ize logi:log bli:ble alli:al entli:ent eli:e
  ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble`);
const NOUNS = rules('ical:ic ness: icate:ic iciti:ic ful: ative: alize:al');
const REST = rules(
  'al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ion: ou: ism: ate: iti: ous: ive: ize:',
);

const SHORTEST = 3;
const LONGEST = 64;

/**
 * The stem of a word in lower case, letter for letter as SQLite's `porter` tokenizer makes it: an index in memory and
 * the one in the database must find the same notes.
 */
export function porterStem(word: string): string {
  if (word.length < SHORTEST || word.length > LONGEST) return word;
  let stem = withoutPlural(word);
  stem = withoutTense(stem);
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaced(stem, DERIVED, (left) => measure(left) > 0);
  stem = replaced(stem, NOUNS, (left) => measure(left) > 0);
  stem = replaced(
    stem,
    REST,
    (left, suffix) => measure(left) > 1 && (suffix !== 'ion' || /[st]$/.test(left)),
  );
  return withoutEnd(stem);
}

function replaced(word: string, list: Rules, fits: (left: string, suffix: string) => boolean): string {
  const rule = list.find(([suffix]) => word.length > suffix.length && word.endsWith(suffix));
  if (!rule) return word;
  const left = word.slice(0, -rule[0].length);
  return fits(left, rule[0]) ? left + rule[1] : word;
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss')) return word;
  const twoLetters = (word.endsWith('sses') && word.length > 4) || (word.endsWith('ies') && word.length > 3);
  return word.slice(0, twoLetters ? -2 : -1);
}

function withoutTense(word: string): string {
  if (word.endsWith('eed') && word.length > 3)
    return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = ['ed', 'ing'].find((suffix) => word.length > suffix.length && word.endsWith(suffix));
  const stem = ending ? word.slice(0, -ending.length) : '';
  if (!hasVowel(stem)) return word;
  if (stem.length > 2 && /(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  const last = stem.at(-1) ?? '';
  if (!'aeioulsz'.includes(last) && last === stem.at(-2)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function withoutEnd(word: string): string {
  let stem = word;
  if (stem.endsWith('e')) {
    const left = stem.slice(0, -1);
    if (measure(left) > 1 || (measure(left) === 1 && !endsShort(left))) stem = left;
  }
  return stem.endsWith('ll') && measure(stem.slice(0, -1)) > 1 ? stem.slice(0, -1) : stem;
}

/** A y after a consonant is a vowel. */
const isVowel = (letter: string, afterConsonant: boolean) =>
  'aeiou'.includes(letter) || (afterConsonant && letter === 'y');

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (isVowel(word.charAt(at), at > 0)) return true;
  return false;
}

/** How often a vowel is followed by a consonant; two stands for any more. */
function measure(word: string): number {
  let [found, wasConsonant, sawVowel] = [0, false, false];
  for (let at = 0; at < word.length && found < 2; at++) {
    const isConsonant = !isVowel(word.charAt(at), wasConsonant);
    if (isConsonant && sawVowel) {
      found++;
      sawVowel = false;
    } else if (!isConsonant) sawVowel = true;
    wasConsonant = isConsonant;
  }
  return found;
}

/** True for a consonant, a vowel and a consonant at the end, the last one none of w, x, y. */
function endsShort(word: string): boolean {
  if (word.length < 3 || /[wxy]$/.test(word)) return false;
  let wasConsonant = false;
  const kinds = Array.from(word, (letter) => (wasConsonant = !isVowel(letter, wasConsonant)));
  const [first, middle, last] = kinds.slice(-3);
  return first === true && middle === false && last === true;
}
