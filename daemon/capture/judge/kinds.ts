import type { HumanMoment } from './human-moments.ts';

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

const REPEATED =
  /\bi (?:already |just )?(?:told|asked|said)\b|\bas i said\b|\bhow many times\b|\bnot again\b|\bagain\?|\bi(?: also)? meant\b|\blike i said\b/;
const PREFERENCE =
  /\b(?:prefer|i'd like|i would like|i want|ideally|always|never|from now on|make sure|we (?:use|don't|never|always)|should be|keep (?:our|the|it)|please use|instead of|rather than|can (?:we|you) (?:also )?(?:add|commit|move|make|break|validate))\b/;
const DECISION =
  /\b(?:let's|lets|go (?:for|with)|is fine|will suffice|for now|we (?:should|can|need|don't need)|perhaps we|i'd do|option)\b/;

/** The kind of a message, by how it came and what it answers; only then by its words. Every message has exactly one. */
export function kindOf({ prompt, text, before, interrupted }: HumanMoment): HumanKind {
  if (prompt.via !== 'typed') return prompt.via;
  if (interrupted) return 'redirect';
  if (REPEATED.test(text)) return 'repeated';
  if (before.endsWith('?') && DECISION.test(text)) return 'decision';
  if (PREFERENCE.test(text) && !/^(?:no|but|why|wait)\b/.test(text)) return 'preference';
  return DECISION.test(text) && !text.includes('?') ? 'decision' : 'correction';
}
