import { stripPrivate } from './private-spans.ts';
import { redactSecrets, type Redaction } from './secrets.ts';

/** The text that may be hashed, embedded, stored or sent. Everything from outside passes here first. */
export function redact(text: string): Redaction {
  const stripped = stripPrivate(text);
  const { text: clean, counts } = redactSecrets(stripped.text);
  return {
    text: clean,
    counts: stripped.removed > 0 ? { ...counts, 'private span': stripped.removed } : counts,
  };
}

/** Most keys are names of fields, which need no search. */
const SHORTEST_SECRET = 12;

/** Redacts every text in a structure, keys included, adding up what was found. */
export function redactAll<T>(value: T, counts: Record<string, number>): T {
  if (typeof value === 'string') {
    const { text, counts: found } = redact(value);
    for (const [kind, times] of Object.entries(found)) counts[kind] = (counts[kind] ?? 0) + times;
    return text as T; // a string in, a string out
  }
  if (Array.isArray(value)) return value.map((entry) => redactAll<unknown>(entry, counts)) as T;
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [
        key.length < SHORTEST_SECRET ? key : redactAll(key, counts),
        redactAll<unknown>(entry, counts),
      ]),
    ) as T;
  }
  return value;
}

const MARKS = /\[(?:redacted [^\]]{1,40}|private content removed)\]/g;

/** True for a text that is nothing but redacted parts. */
export function isAllRedacted(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text.replace(MARKS, ''));
}
