import type { HumanMoment } from './human-moments.ts';
import { anyOf } from './wording.ts';

export const HUMAN_KINDS = [
  'rejection',
  'answer',
  'queued',
  'redirect',
  'repeated',
  'decision',
  'preference',
  'correction',
] as const;
export type HumanKind = (typeof HUMAN_KINDS)[number];

const isRepeated = anyOf(
  /\bi (?:already |just )?(?:told|asked|said)\b/,
  /\b(?:as|like) i said\b|\bhow many times\b|\bnot again\b|\bagain\?|\bi(?: also)? meant\b/,
);
const isPreference = anyOf(
  /\b(?:prefer|i'd like|i would like|i want|ideally|instead of|rather than|please use)\b/,
  /\b(?:always|never|from now on|make sure|should be|we (?:use|don't|never|always)|keep (?:our|the|it))\b/,
  /\bcan (?:we|you) (?:also )?(?:add|commit|move|make|break|validate)\b/,
);
const isDecision = anyOf(
  /\b(?:let's|lets|go (?:for|with)|is fine|will suffice|for now|i'd do|option)\b/,
  /\b(?:we (?:should|can|need|don't need)|perhaps we)\b/,
);

/** The kind of a message, by how it came and what it answers; only then by its words. Every message has exactly one. */
export function kindOf({ prompt, text, before, interrupted }: HumanMoment): HumanKind {
  if (prompt.via !== 'typed') return prompt.via;
  if (interrupted) return 'redirect';
  if (isRepeated(text)) return 'repeated';
  if (before.endsWith('?') && isDecision(text)) return 'decision';
  if (isPreference(text) && !/^(?:no|but|why|wait)\b/.test(text)) return 'preference';
  return isDecision(text) && !text.includes('?') ? 'decision' : 'correction';
}
