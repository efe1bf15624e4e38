/** Shapes of values that are secret wherever they stand. Value-shaped, so prose about tokens and passwords stays whole. */
const SHAPES: ReadonlyArray<[kind: string, pattern: RegExp]> = [
  ['private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g],
  ['anthropic key', /\bsk-ant-[A-Za-z0-9_-]{16,}/g],
  ['openai key', /\bsk-(?:proj-)?[A-Za-z0-9._-]{20,}/g],
  ['github token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g],
  ['gitlab token', /\bglpat-[A-Za-z0-9_-]{16,}/g],
  ['slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ['aws key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['google key', /\bAIza[0-9A-Za-z_-]{35}\b/g],
  ['stripe key', /\b[rs]k_(?:live|test)_[0-9a-zA-Z]{16,}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{30,}/g],
  ['jwt', /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g],
  ['bearer token', /\b(?<=(?:authorization|bearer)["']?\s*[:=]?\s*(?:bearer\s+)?)[A-Za-z0-9._~+/-]{24,}=*/gi],
  ['url password', /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]+:)[^\s:/@]{3,}(?=@)/gi],
];

// name = value, where the value looks random rather than like a word, a path or a placeholder.
const ASSIGNMENT = /\b([a-z0-9_-]*(?:api[_-]?key|secret|token|passwd|password|access[_-]?key)[a-z0-9_-]*["']?\s*[:=]\s*["']?)([^\s"',;]{8,})/gi;

export interface Redaction {
  text: string;
  counts: Record<string, number>;
}

/** Replaces secrets by their kind. What is left still reads, and says what stood there. */
export function redactSecrets(text: string): Redaction {
  const counts: Record<string, number> = {};
  const count = (kind: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
    return `[redacted ${kind}]`;
  };
  let clean = text;
  for (const [kind, pattern] of SHAPES) clean = clean.replace(pattern, () => count(kind));
  clean = clean.replace(ASSIGNMENT, (whole, name: string, value: string) => (looksRandom(value) ? `${name}${count('credential')}` : whole));
  return { text: clean, counts };
}

function looksRandom(value: string): boolean {
  if (/^[[<${(]|redacted|example|placeholder|x{4,}|\*{3,}|\.\.\./i.test(value) || /[/\\(){}]|::|\.\w+\(/.test(value)) return false;
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return classes >= 3 || (classes >= 2 && /\d/.test(value) && entropy(value) > 3);
}

/** Bits per character: words of a language stay below 3, keys lie above. */
function entropy(value: string): number {
  const frequencies = new Map<string, number>();
  for (const character of value) frequencies.set(character, (frequencies.get(character) ?? 0) + 1);
  return [...frequencies.values()].reduce((sum, n) => sum - (n / value.length) * Math.log2(n / value.length), 0);
}
