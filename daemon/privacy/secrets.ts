import { COMMAND_LINES, OPTIONS } from './command-lines.ts';
import { looksRandom } from './looks-random.ts';
import { AFTER_ADDRESS, AFTER_USER, PASSWORDS } from './passwords.ts';
import { partFinder } from './gates.ts';
import { anyOf, isExampleToken, isPlaceholder, type Rule } from './rule.ts';
import { drawnValues } from './drawn-values.ts';
import { SERVICE_SECRETS } from './service-tokens.ts';
import { namedSecrets, type Span } from './named.ts';
import { NAME_AND_SECRET, ONLY_ARGUMENT, STRUCTURES, USER_AND_PASSWORD, WEBHOOK } from './structures.ts';
import { ASSIGNED_KEYS } from './assigned-keys.ts';
import { assignedPasswords } from './assigned.ts';
import { chosenPasswords } from './chosen-passwords.ts';
import { sqlSecrets } from './sql-columns.ts';
import { tableSecrets } from './tables.ts';

export interface Redaction {
  text: string;
  counts: Record<string, number>;
}

/**
 * Shapes of values that are secret wherever they stand. Value-shaped, so prose about tokens and passwords stays whole.
 */
const SHAPES: readonly Rule[] = [
  // Without its end the rest of the text is the key: a cut-off key is still most of a key.
  {
    kind: 'private key',
    needs: ['-----begin ', '----- begin '],
    pattern:
      /-----BEGIN (?![^\n-]{0,60}PUBLIC)[^\n-]{0,60}\bkey\b[^\n-]{0,20}-----[\s\S]*?(?:-----END [^\n-]{0,80}-----|$)|----- ?BEGIN LICEN[CS]E ?-----[\s\S]*?(?:----- ?END [^\n-]{0,80}-----|$)/gi,
  },
  { kind: 'anthropic key', needs: ['sk-ant-'], pattern: /\bsk-ant-[A-Za-z0-9_-]{16,}/g },
  {
    kind: 'github token',
    needs: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g,
  },
  { kind: 'gitlab token', needs: ['glpat-'], pattern: /\bglpat-[A-Za-z0-9_-]{16,}/g },
  { kind: 'slack token', needs: ['xox'], pattern: /\bxox[a-z]-[\w-]{10,}/g },
  {
    kind: 'slack webhook',
    needs: ['hooks.slack.com'],
    pattern: /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/]{20,}/g,
  },
  { kind: 'aws key', needs: ['akia', 'asia'], pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  {
    kind: 'google key',
    needs: ['aiza', 'gocspx-', 'ya29.'],
    pattern: /\b(?:AIza[0-9A-Za-z_-]{35}|GOCSPX-[0-9A-Za-z_-]{20,}|ya29\.[0-9A-Za-z_.-]{20,})/g,
  },
  {
    kind: 'stripe key',
    needs: ['k_live_', 'k_test_', 'whsec_'],
    pattern: /\b(?:[rs]k_(?:live|test)|whsec)_[0-9a-zA-Z]{16,}/g,
  },
  { kind: 'npm token', needs: ['npm_'], pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { kind: 'pypi token', needs: ['pypi-'], pattern: /\bpypi-[A-Za-z0-9_-]{40,}/g },
  { kind: 'hugging face token', needs: ['hf_'], pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  ...SERVICE_SECRETS,
  // Begins where a run of its own letters begins: `\b` would start again at every dash of a hostile text.
  {
    kind: 'jwt',
    needs: ['eyj'],
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  },
];

/**
 * A lead that announces a value, and the value. The value goes only when it looks random rather than like a word, a
 * path, a name in code or a placeholder. Every repetition ahead of the value is bounded, so hostile text costs linear
 * time.
 */
const ANNOUNCED: readonly Rule[] = [
  { kind: 'openai key', needs: ['sk-'], pattern: /(\b)(sk-[A-Za-z0-9._-]{20,})/g, isSecret: looksRandom },
  {
    // `{"sessionid": "…"}`; the `sessionId` of an agent opens nothing
    kind: 'cookie',
    needs: ['sessid', 'sessionid', '.sid', 'csrftoken', '_session'],
    pattern:
      /((?:PHPSESSID|JSESSIONID|\bsessionid|_SessionId|connect\.sid|csrftoken|laravel_session)\\?["']?(?:,\s{0,20}\\?["']value\\?["'])?\s{0,3}[:=]\s{0,3}\\?["']?)([^\s"'`,;&\\]{16,})/g,
    isSecret: looksRandom,
  },
  {
    // `?sig=…`, `&X-Amz-Signature=…`
    kind: 'signed link',
    needs: anyOf('sig=|signature=|key=|secret=|auth=|hmac=|code=|ticket=|appid=|samlresponse='),
    pattern:
      /((?:[?&](?:sig|key|secret|auth|hmac|code|ticket|appid)|\bSAMLResponse|(?<![a-z])(?:[a-z]{1,20}-){0,3}signature)=)([^\s"'`&<>\\]{16,})/gi,
    isSecret: looksRandom,
  },
];

/** `Cookie: name=value; …`: each value that looks random goes, attributes stay. */
const COOKIES =
  /(\bcookie\\?["']?(?:,\s{0,20}\\?["']value\\?["'])?\s{0,3}[:=]\s{0,3}\\?["']?)([^\s=;,"'\\]{1,100}=[^\r\n"'`]{1,4000})/gi;
const COOKIE_VALUE: Rule = {
  kind: 'cookie',
  needs: ['cookie'],
  pattern: /(=)([^;\s"'\\]{8,})/g,
  isSecret: looksRandom,
};

/** A password in an address may contain a slash or a colon; a port before a path is none. */
const URL_PASSWORD: Rule = {
  kind: 'url password',
  needs: ['://'],
  pattern:
    /((?<=[a-z0-9]):\/\/(?:[^\s:/@]{0,100}|\[redacted [a-z ]{1,30}\]):)(?!\d{1,5}\/)((?:[^\s@"'`<>]|@(?=[^\s/@"'`<>]{1,60}@[\w.[-])){3,200})(?=@[\w.[-])/gi,
  isSecret: (value, lead) => !lead.endsWith(`/${value}:`), // `postgres:postgres` opens what is on this machine only
};
/** `ann:ann` on another machine; a rule has two groups, so the user is looked for behind the value. */
const REMOTE_PASSWORD: Rule = {
  kind: 'url password',
  needs: ['://'],
  pattern:
    /((?<=[a-z0-9]):\/\/[^\s:/@]{3,60}:)([^\s:/@"'`<>$]{3,60})(?=@(?:[\w-]{1,60}\.){1,5}[a-z]{2,20}\b)/gi,
};

/** `https://TOKEN@host`: a token in place of a name. */
const URL_TOKEN: Rule = {
  kind: 'url password',
  needs: ['://'],
  pattern: /((?<=[a-z0-9]):\/\/)([\w-]{20,200})(?=@[\w.[-])/gi,
  isSecret: looksRandom,
};

/** Names what stands in the place of a secret, and counts it. */
type Mark = (kind: string) => string;
/** Removes the secrets of one kind of place. The text comes once more in small letters. */
type Step = (text: string, small: string, mark: Mark, parts: ReadonlySet<string>) => string;

/** Rules that are tried only on texts that contain a part they need. */
const inGroup = (rules: readonly Rule[]): Step => {
  const needed = new Set(rules.flatMap(({ needs }) => needs));
  return (text, _, mark, parts) => {
    if (![...parts].some((part) => needed.has(part))) return text;
    const tried = rules.filter(({ needs }) => needs.some((part) => parts.has(part)));
    return tried.reduce((from, rule) => apply(rule, from, mark), text);
  };
};

const inCookies: Step = (text, small, mark) =>
  small.includes('cookie')
    ? text.replace(COOKIES, (_, lead: string, pairs: string) => lead + apply(COOKIE_VALUE, pairs, mark))
    : text;

const inPlaces =
  (find: (text: string, small: string) => Span[], kind = 'credential'): Step =>
  (text, small, mark) =>
    without(text, find(text, small), () => mark(kind));

const FIRST: readonly (readonly Rule[])[] = [SHAPES, [URL_PASSWORD, REMOTE_PASSWORD, URL_TOKEN]];
const THEN: readonly (readonly Rule[])[] = [
  ANNOUNCED,
  PASSWORDS,
  COMMAND_LINES,
  STRUCTURES,
  [NAME_AND_SECRET, USER_AND_PASSWORD, WEBHOOK],
  OPTIONS,
  [ONLY_ARGUMENT, AFTER_ADDRESS, AFTER_USER],
  ASSIGNED_KEYS,
];
const partsIn = partFinder([...FIRST, ...THEN].flat());

const STEPS: readonly Step[] = [
  ...FIRST.map(inGroup),
  inCookies,
  ...THEN.map(inGroup),
  inPlaces(drawnValues, 'service token'),
  inPlaces(tableSecrets),
  inPlaces(sqlSecrets),
  inPlaces(assignedPasswords),
  inPlaces(namedSecrets),
  inPlaces(chosenPasswords),
];

/** In longer ones, such as the lines of a private key, anything may look like a placeholder. */
const LONGEST_TOKEN = 120;

const apply = ({ kind, pattern, isSecret = () => true }: Rule, text: string, mark: Mark): string =>
  text.replace(pattern, (whole, lead: unknown, value: unknown) => {
    if (typeof lead !== 'string' || typeof value !== 'string')
      return whole.length < LONGEST_TOKEN && isExampleToken(whole) ? whole : mark(kind);
    return !isPlaceholder(value) && isSecret(value, lead) ? `${lead}${mark(kind)}` : whole;
  });

/** Replaces secrets by their kind. What is left still reads, and says what stood there. */
export function redactSecrets(text: string): Redaction {
  const steps = redactInSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same, with a pause after each kind of place. */
export function* redactInSteps(text: string): Generator<void, Redaction> {
  const counts: Record<string, number> = {};
  const mark = (kind: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
    return `[redacted ${kind}]`;
  };
  let clean = text;
  let small = smallLetters(text);
  const parts = partsIn(small);
  for (const step of STEPS) {
    const next = step(clean, small, mark, parts);
    if (next !== clean) small = smallLetters(next);
    clean = next;
    yield;
  }
  return { text: clean, counts };
}

/** Far quicker to search than a text in both; the few letters that become two stay, so that places are the same. */
const smallLetters = (text: string): string => text.replace(/İ/g, 'I').toLowerCase();

function without(text: string, spans: readonly Span[], mark: () => string): string {
  let kept = '';
  let at = 0;
  for (const { start, end } of spans) {
    kept += text.slice(at, start) + mark();
    at = end;
  }
  return kept + text.slice(at);
}
