import { isDrawn, looksRandom } from './looks-random.ts';
import type { Span } from './named.ts';
import { IS_ID, isPlaceholder } from './rule.ts';
import { SERVICE_TOKEN } from './service-tokens.ts';
import { shareOfWords } from './spelt-with-digits.ts';
import { strengthOf } from './strength.ts';

/** Of one hundred drawn values one has more, of names in code nine in ten. */
const MOST_WORDS = 0.6;
const hasFewWords = (value: string): boolean => shareOfWords(value) < MOST_WORDS;

/** Every token has so many letters and digits in a row. Most texts have no such run, so patterns see little. */
const LONG = /\b[\w-]{16,}/g;
const BEFORE_LONG = /[\w.~+$|:/=%#@-]{0,60}$/;
const AFTER_LONG = /[\w.~+$|/=%-]{0,4000}/y;
const BEFORE = 60; // characters

/** Values that only a generator writes: tokens of services, also of those we do not know. They need no name. */
export function drawnValues(text: string): Span[] {
  const spans: Span[] = [];
  LONG.lastIndex = 0;
  for (let found = LONG.exec(text); found; found = LONG.exec(text)) {
    if (!/\d|[A-Z]{2}[a-z]|^[a-z]{4}(?:-[a-z]{4}){3}$/.test(found[0])) continue;
    const before = text.slice(Math.max(0, found.index - BEFORE), found.index);
    const start = found.index - (BEFORE_LONG.exec(before)?.[0].length ?? 0);
    AFTER_LONG.lastIndex = LONG.lastIndex;
    const end = LONG.lastIndex + (AFTER_LONG.exec(text)?.[0].length ?? 0);
    LONG.lastIndex = end;
    spans.push(
      ...drawnIn(text.slice(start, end), text.slice(Math.max(0, start - BEFORE), start), text[end], start),
    );
  }
  return spans;
}

function drawnIn(run: string, before: string, after: string | undefined, at: number): Span[] {
  if (IS_PUBLIC_AFTER.test(before)) return [];
  const known = [...run.matchAll(SERVICE_TOKEN)].filter(isOfService);
  if (known.length > 0)
    return known.map(({ 0: token, index }) => ({ start: at + index, end: at + index + token.length }));
  if (after === '(') return [];
  const [, lead = '', value = ''] = /^([A-Za-z][\w.-]{2,40}=)?(.*)$/.exec(run) ?? [];
  const name = lead || (NAME_BEFORE.exec(before)?.[0] ?? '');
  const isSecret = name ? isNamed(value, name) : !IS_ID_BEFORE.test(before) && isUnknownToken(value);
  return isSecret ? [{ start: at + lead.length, end: at + run.length }] : [];
}

const NAME_BEFORE = /(?:\bx-[\w-]{2,40}\\?["']?:\s?\\?["']?|(?<![\w-])[A-Za-z][\w.-]{2,40}=["'])$/;
/** Words before a value that is public. */
const IS_PUBLIC_AFTER = /base64,$|encrypted_content\W{3,6}$|-----\s{1,2}$/;
const IS_ID_BEFORE =
  /(?:[iI][dD](?:-\d)?|[aA]ddress|[tT]humbprint|ed25519|[kK]ey|KEY|"[a-z])s?["'`:]{0,2}[ :=]?["'`]?$/;

function isOfService({ 0: token, groups }: RegExpMatchArray): boolean {
  const { tail = token, drawn } = groups ?? {};
  return (
    looksRandom(token) &&
    !isPlaceholder(token) &&
    hasFewWords(drawn ?? tail) &&
    (drawn === undefined || isDrawn(drawn))
  );
}

/** `x-honeycomb-team: x`, `TEAM=x`, `li_at=x`: a name that says nothing. */
const isNamed = (value: string, name: string): boolean =>
  /^[\w+/.-]{20,400}={0,2}$/.test(value) &&
  !/id\b|sha|hash|digest|commit|version|public|trace|request|rev|etag|integrity|checksum|cursor|page|nonce|state|url|lid=/i.test(
    name,
  ) &&
  strengthOf(value.replaceAll('.', '')) === 'drawn' &&
  hasFewWords(value);

/** Capitals, small letters and digits must be mixed, because hashes and names of files begin the same way. */
function isUnknownToken(value: string): boolean {
  // a password that Apple or Google drew for one program
  if (/^[a-z]{4}(?:-[a-z]{4}){3}$/.test(value)) return shareOfWords(value) < 0.5;
  if (!/^[A-Za-z\d][\w.-]{19,399}$/.test(value) || IS_ID.test(value) || isPlaceholder(value)) return false;
  if (/^0x|^Qm\w{44}$|^[A-Z]{2}[\da-f]{32}$|\.[a-z]\w{0,4}$/.test(value)) return false; // an address, an id, a file
  const [, tail = ''] = /^[A-Za-z][A-Za-z\d]{1,7}[_-](.*)$/.exec(value) ?? [];
  const isLong = tail !== '' || (value.length >= 24 && /[A-Z]/.test(value) && /[a-z]/.test(value));
  const drawn = tail || value;
  return isLong && isDrawn(drawn) && looksRandom(drawn) && hasFewWords(drawn);
}
