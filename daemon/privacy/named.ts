import { IS_ID, isNameThere } from './rule.ts';
import { strengthOf } from './strength.ts';
import { ABOUT_IT, BETWEEN, IS, LOGIN_WORDS, PASSWORD_WORDS, SECRET_WORDS, STEMS, stemsIn } from './words.ts';

/** A part of a text that is a secret. */
export interface Span {
  start: number;
  end: number;
}

/** Words of our own marks name nothing, or redacting twice would remove more. */
const NO_MARK = String.raw`(?<!\[redacted [a-z ]{0,30})`;
const ANY_STEM = new RegExp(`${NO_MARK}(?:${STEMS})`, 'i');
const SPEAKS_OF_LOGIN = new RegExp(`${NO_MARK}(?:${PASSWORD_WORDS}|${LOGIN_WORDS})`, 'iu');

const NAMES_A_PASSWORD = new RegExp(`${NO_MARK}(?:${PASSWORD_WORDS})`, 'iu');

/** A name up to its value: the rest of the name, then marks, with a particle, a scheme or `default` among them. */
const LINKED = new RegExp(
  String.raw`${NO_MARK}(?:(?<password>${PASSWORD_WORDS})|${SECRET_WORDS})(?<rest>[\p{L}\d_.-]{0,24}?(?: \d{1,2})?)(?<link>(?: in (?:hex|base64))?[^\p{L}\d\n]{0,8}(?:(?<!\p{sc=Latin})(?:${BETWEEN})[^\p{L}\d\n]{0,4})?|\s?[:=]\s?(?:buffer|bytes|unhex|b64|base64|hex|atob|decode|string)[\w.]{0,16}\(b?["'\x60]|[^\p{L}\d]{0,24}\b(?:value|default|send)[^\p{L}\d\n]{1,6}| ?[^\p{sc=Latin}\d\n]{0,12})$`,
  'iu',
);
/** `the password for staging is …`, `Passwort fürs WLAN: …` */
const SAID = new RegExp(
  String.raw`${NO_MARK}(?:${PASSWORD_WORDS})[^\n.;!?:=]{0,40}(?:(?:[\s'’](?:${IS})[\s:：]|\s?[:：])[^\p{L}\d]{0,16}|\s?=\s?[^\p{L}\d\n]{0,3})$`,
  'iu',
);

/** `key for the weather API → …` */
const KEY_IS_SAID = /\b(?:key|token|secret)\b[^\n.;!?:=]{0,40}(?:[:：→]|->|\sis)\s{0,3}["'`]?$/i;

/** `… is my wandb key`, `… is the API token` */
const IS_SAID_TO_BE_KEY =
  /^["'`]?\s(?:is|as)\s(?:the|my|our|your|its)\s[^\n.;!?:=]{0,24}?(?:key|token|secret|\bpat)(?=\s*(?:$|[.,;!)\n]))/i;

/** `use … as the password`, `… is my password`, but not `argon2 for password hashing` */
const SAID_AFTER = new RegExp(
  String.raw`^["'\x60]?\s(?:as|for|is)\s(?:the|my|our|your|its)\s[^\n.;!?:=]{0,20}?(?:${PASSWORD_WORDS})(?!\s?(?:hash|ing|s\b|reset|field|polic|rule|algo))`,
  'iu',
);

const IS_ABOUT_IT = new RegExp(`(?:${ABOUT_IT})$`, 'i');

/** Words before values that are public: hashes, pictures, certificates, ids, keys of data. */
const PUBLIC_BEFORE =
  /(?:sha\d{0,3}|md5|h\d|base64|(?<!secret[_ ]?)ids?|hash|checksum|digest|integrity|fingerprint|(?:cache|idempotency|partition|sort|row|object|namespace|gpg|pgp|rsa|host|map|hash)[_ -]?key|(?:recv|list)-keys|site[ _-]?key|(?:next|prev(?:ious)?|page|continuation|sync|resume)[_ -]?(?:page[_ -]?)?token|cache (?:hit|miss|get|set)\b[^\n]{0,12}key|did:\w{2,10}|ssh-\w{2,20})\\?["']?[\s:=,(→-]{1,3}\\?["'`]?$|(?:pub(?:lic)?[\s_-]{0,3}(?:key|token)|certificate(?!pass))[\s\S]{0,40}$|PUBLIC_\w*=["']?$|ENC\[[^\]]{0,100}$|[${]\{[^}\n]{0,60}$/i;

/** The lines of a public key; those of a private key are gone by now. */
const IS_PEM_LINE = /^[A-Za-z\d+/]{64}$/;

const BEFORE = 100; // characters
const AFTER = 40;
const SAME_CLAUSE = 60;
/** Longer runs are pictures and signatures. */
const LONGEST = 300;

/** Letters, digits and signs of passwords and keys; quotes, brackets and other scripts end a run. */
const RUN =
  /(?:(?<=\\)(?:[nrt]|u[0-9a-f]{4}))?([\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\d!#$%^&*?~+@_./=:-]{6,})/gu;

/** Everything near a word for a secret that is one, by what it looks like and how it is tied to the word. */
export function namedSecrets(text: string, small: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const [start, end] of neighbourhoods(small)) {
    RUN.lastIndex = Math.max(from, beginOfRun(text, start));
    for (let found = RUN.exec(text); found && found.index < end; found = RUN.exec(text)) {
      from = RUN.lastIndex;
      const [, run = ''] = found;
      if (run.length <= LONGEST && HAS_SIGN.test(run)) spans.push(...secretsIn(text, run, from - run.length));
    }
  }
  return spans;
}

/** Without a digit, a sign or a change of case a value is a word. */
const HAS_SIGN = /\d|[!#$%^&*?~+@]\w|[a-z][A-Z]/;

/** Values in an address under a name that means a secret. */
const IN_ADDRESS =
  /(?<=[?&;#][\w.-]{0,24}(?:token|key|secret|pass\w{0,6}|pwd|auth|sig\w{0,8}|code|ticket|session\w{0,4}|jwt|sid|hash)[\w.-]{0,12}=)[^&#]{6,}/gi;

/** Half an address or half a picture looks drawn, so a run is read from its beginning. */
function beginOfRun(text: string, at: number): number {
  const earliest = Math.max(0, at - LONGEST);
  return earliest + text.slice(earliest, at).search(/\S*$/);
}

/** Stretches around words for secrets, those that overlap as one. */
function neighbourhoods(small: string): [start: number, end: number][] {
  const found: [number, number][] = [];
  for (const { index, 0: word } of small.matchAll(stemsIn(small))) {
    const [start, end] = [index - AFTER, index + word.length + BEFORE];
    const last = found.at(-1);
    if (last && start <= last[1]) last[1] = end;
    else found.push([Math.max(0, start), end]);
  }
  return found;
}

/** The whole run if it is a secret, or those of its pieces that are: `pw:S3cret`, `master/S3cret`, `?token=S3cret`. */
function secretsIn(text: string, run: string, at: number): Span[] {
  const isSecret = ({ start, end }: Span) => {
    const value = text.slice(start, end);
    return (
      HAS_SIGN.test(value) &&
      isSecretThere(value, text.slice(Math.max(0, start - BEFORE), start), text.slice(end, end + AFTER))
    );
  };
  if (/\bsha\d{1,3}[-:]/.test(run)) return []; // a checksum
  const end = at + run.replace(/[.:?]+$/, '').length;
  const isAddress = /:\/\/|^@[\w-]+\./.test(run);
  const afterName = at + run.search(/[:=]/) + 1;
  const whole = [
    { start: at, end },
    { start: afterName, end },
  ].find(isSecret);
  if (!isAddress && whole) return [whole];
  if (/^[A-Za-z\d+/=]{60,}$|^[A-Za-z\d+/]{40,}={1,2}$|(?:^|[=:])[.~]?\/\w/.test(run)) return []; // a picture, a path
  const pieces = isAddress ? IN_ADDRESS : /[^:=/&]{6,}/g;
  return Array.from(run.matchAll(pieces), ({ 0: piece, index }) => ({
    start: at + index,
    end: Math.min(end, at + index + piece.length),
  })).filter(isSecret);
}

function isSecretThere(value: string, before: string, after: string): boolean {
  const strength = strengthOf(value);
  if (strength === 'none' || PUBLIC_BEFORE.test(before)) return false;
  if (/^[a-z]+(?:-[a-z]+)+-[a-z\d]{5}$|^#[\da-f]{3,8}$/i.test(value)) return false; // an object of Kubernetes, a colour
  if (/\w\[$/.test(before) && after.startsWith(']')) return false; // a case of a test
  if (isNameThere(value, before, after) && (after.startsWith('(') || !/=\s?$|["'`]$/.test(before)))
    return false;
  if (IS_PEM_LINE.test(value) && /^\s*$/.test(endOfLine(before))) return false;
  const linked = LINKED.exec(before)?.groups;
  if (linked && IS_ABOUT_IT.test(linked['rest'] ?? '')) return false;
  const isAssigned = linked !== undefined && ASSIGNED.test(linked['link'] ?? '');
  if (IS_ID.test(value)) return isAssigned && /secret|pass/i.test(before.slice(-40)) && strength !== 'chosen';
  if (strength === 'drawn' && (ANY_STEM.test(before) || ANY_STEM.test(after))) return true;
  if (
    strength === 'strong' &&
    (SPEAKS_OF_LOGIN.test(endOfLine(before)) || SPEAKS_OF_LOGIN.test(beginOfLine(after)))
  )
    return true;
  if (strength !== 'chosen' && value.length >= 16 && IS_SAID_TO_BE_KEY.test(after)) return true;
  if (/^[\da-f]{32,}$/.test(value) && KEY_IS_SAID.test(before)) return true;
  if ((SAID.test(before) && !/^[:=(]/.test(after)) || SAID_AFTER.test(after)) return true;
  if (
    isTyped(value) &&
    !/class(?:Name)?=["'][^"']*$/.test(before) &&
    !/\buser(?:name)?\W{1,3}$/i.test(before) &&
    (NAMES_A_PASSWORD.test(endOfLine(before)) || NAMES_A_PASSWORD.test(beginOfLine(after)))
  )
    return true;
  if (!linked) return false;
  const isSpaced = /^\s+["'`]?$/.test(linked['link'] ?? '');
  if (linked['password'] !== undefined)
    return (
      isAssigned ||
      (isSpaced &&
        (/\p{Lu}.*\d|^\P{N}+$/u.test(value) || value.length >= 16 || NAMES_A_USER.test(endOfLine(before))))
    );
  if (strength === 'chosen')
    return (
      /=|:\s?\\?["'`]$/.test(linked['link'] ?? '') &&
      linked['rest'] === '' &&
      linked['long'] === undefined &&
      isTyped(value) &&
      !/token|secret|key|cred|auth|access|refresh|mock|test|fake|dummy|-v?\d$|^[A-Z][A-Za-z]+\d+[A-Z]/i.test(
        value,
      )
    );
  return isAssigned
    ? linked['long'] === undefined || (value.length >= 32 && !/[/-]/.test(value))
    : isSpaced && value.length >= 16;
}

/** Letters and digits as in no name of code, file or hash. */
const isTyped = (value: string): boolean =>
  /^\p{L}.*\d/u.test(value) &&
  !/^[\da-f]+$|^[\da-f]{8}-|[/*:=]|\?\.|\w\.\w|(?:passw\w*|passwd|secret|token|argon)_?\d{1,2}\w{0,2}$/i.test(
    value,
  ) &&
  !/^\p{Lu}{2,}-?\d+$/u.test(value);

/** `user admin, password …` */
const NAMES_A_USER = /\b(?:user|usu|usr|benutzer|utilisateur|login|log in|admin|root|wi-?fi|wlan|ssid)/i;

/** A mark that assigns, a word between, or two arguments: `"password", "x"`. */
const ASSIGNED = /[:：=(>→]|\p{L}|["'`]\s?,\s?["'`]/u;

const beginOfLine = (after: string) => after.split('\n', 1)[0] ?? '';
const endOfLine = (before: string) => before.slice(before.lastIndexOf('\n') + 1).slice(-SAME_CLAUSE);
