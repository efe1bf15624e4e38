import type { Learning } from '#contract/entities.ts';
import { estimateTokens } from '../../text/estimate-tokens.ts';

/** A block of text for an agent, and whose learnings are in it. */
export interface Injection {
  text: string;
  ids: string[];
  tokens: number;
}

export const NOTHING: Injection = { text: '', ids: [], tokens: 0 };

/** Adds a line below the block, or stands alone. */
export function withLine({ text, ids }: Injection, line: string): Injection {
  const whole = [text, line].filter(Boolean).join('\n\n');
  return { text: whole, ids, tokens: whole === '' ? 0 : estimateTokens(whole) };
}

export function injectionOf(text: string, learnings: readonly Learning[]): Injection {
  return text === '' ? NOTHING : { text, ids: learnings.map(({ id }) => id), tokens: estimateTokens(text) };
}
