import type { NoteInput, Signals } from '#contract/entities.ts';

type Agent = 'claude-code' | 'codex' | 'copilot-cli' | 'opencode' | 'gemini-cli';

export const lines = (...text: string[]): string => text.join('\n');

export const said = (agent: Agent, session: string, quote: string): NonNullable<NoteInput['provenance']> => ({
  agent,
  session,
  quote,
});

/** The signals a note would carry after this much use. */
export function used(
  lastRecalledAt: number,
  {
    recalls,
    helpful,
    proofs,
    stale = 0,
  }: { recalls: number; helpful: number; proofs: number; stale?: number },
): Partial<Signals> {
  return {
    qValue: (helpful + 1) / (recalls + 2),
    quality: proofs >= 5 ? 5 : proofs >= 2 ? 4 : 3,
    uses: recalls,
    successes: helpful,
    proofCount: proofs,
    recallCount: recalls,
    helpfulCount: helpful,
    ignoredCount: Math.max(0, recalls - helpful - stale),
    staleCount: stale,
    lastRecalledAt,
    maturity: proofs >= 5 ? 'core' : proofs >= 2 ? 'validated' : 'draft',
  };
}
