import { looksRandom } from './looks-random.ts';
import { SERVICE_SECRET, SERVICE_TOKEN } from './service-tokens.ts';

export interface Redaction {
  text: string;
  counts: Record<string, number>;
}

/** Shapes of values that are secret wherever they stand. Value-shaped, so prose about tokens and passwords stays whole. */
const SHAPES: ReadonlyArray<[kind: string, pattern: RegExp]> = [
  // Without its end the rest of the text is the key: a cut-off key is still most of a key.
  [
    'private key',
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ],
  ['anthropic key', /\bsk-ant-[A-Za-z0-9_-]{16,}/g],
  ['github token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g],
  ['gitlab token', /\bglpat-[A-Za-z0-9_-]{16,}/g],
  ['slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ['slack webhook', /\bhooks\.slack\.com\/services\/[A-Za-z0-9/]{20,}/g],
  ['aws key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['google key', /\b(?:AIza[0-9A-Za-z_-]{35}\b|GOCSPX-[0-9A-Za-z_-]{20,}|ya29\.[0-9A-Za-z_-]{20,})/g],
  ['stripe key', /\b(?:[rs]k_(?:live|test)|whsec)_[0-9a-zA-Z]{16,}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{30,}/g],
  ['pypi token', /\bpypi-[A-Za-z0-9_-]{40,}/g],
  ['hugging face token', /\bhf_[A-Za-z0-9]{30,}/g],
  ['service token', SERVICE_SECRET],
  // Begins where a run of its own letters begins: `\b` would start anew at every dash of a hostile text.
  ['jwt', /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g],
];

/**
 * A lead that announces a value, and the value. The value goes only when it looks random rather than like a word, a path,
 * a name in code or a placeholder. Every repetition ahead of the value is bounded, so hostile text costs linear time.
 */
const ANNOUNCED: ReadonlyArray<[kind: string, pattern: RegExp]> = [
  ['service token', SERVICE_TOKEN],
  ['openai key', /(\b)(sk-[A-Za-z0-9._-]{20,})/g],
  [
    'bearer token',
    /(\b(?:authorization|bearer)\b\\?["']?\s{0,3}[:=]?\s{0,3}\\?["']?(?:(?:bearer|basic|token)\s{1,3})?)([A-Za-z0-9._~+/-]{16,}={0,2})/gi,
  ],
  [
    'credential',
    /((?:api[_-]?key|secret|token|passwd|password|access[_-]?key|x-[a-z]{1,20}-key)[a-z0-9_-]{0,40}\\?["']?\s{0,5}[:=]{1,3}>?\s{0,5}\\?["'`]?)([^\s"'`,;&\\]{8,})/gi,
  ],
  [
    'credential',
    /(--?[a-z-]{0,30}(?:api-?key|secret|token|password)\s{1,3}["']?)([^\s"'`,;&\\-][^\s"'`,;&\\]{7,})/gi,
  ],
];

// People choose passwords that are words; written as an assignment in capitals it is a value, whatever it looks like.
const CAPITAL = /((?:PASSWORD|PASSWD|SECRET)\\?["']?=\\?["']?)([^\s"'`,;&\\]{6,})/g;
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,100}:)([^\s/@]{3,200})(?=@)/gi;
const PLACEHOLDER =
  /^[[<${(*]|redacted|example|placeholder|changeme|x{4,}|\*{3,}|\.{3}|^(?:pass|passwd|password|secret|pwd|your[_-]?\w*)$/i;

/** Replaces secrets by their kind. What is left still reads, and says what stood there. */
export function redactSecrets(text: string): Redaction {
  const counts: Record<string, number> = {};
  const count = (kind: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
    return `[redacted ${kind}]`;
  };
  let clean = text;
  for (const [kind, pattern] of SHAPES) clean = clean.replace(pattern, () => count(kind));
  const replaceIf = (isSecret: (value: string) => boolean, kind: string, pattern: RegExp) => {
    clean = clean.replace(pattern, (whole, lead: string, value: string) =>
      !PLACEHOLDER.test(value) && isSecret(value) ? `${lead}${count(kind)}` : whole,
    );
  };
  for (const [kind, pattern] of ANNOUNCED) replaceIf(looksRandom, kind, pattern);
  replaceIf(isLiteral, 'credential', CAPITAL);
  replaceIf(() => true, 'url password', URL_PASSWORD);
  return { text: clean, counts };
}

/** Neither a reference to a value elsewhere nor a piece of code. */
const isLiteral = (value: string) =>
  !/[(){}[\]<>]|^\$|\.\w+\.|^(?:true|false|null|undefined|none)$/i.test(value);
