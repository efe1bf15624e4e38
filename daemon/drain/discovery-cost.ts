import type { Note } from '#contract/entities.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';
import type { Material } from './writer.ts';

/** The note with the tokens of the dialogue in which it was learned: what led to it, the words, the answer (M8). */
export function withCost(note: Note, { turns, quote }: Pick<Material, 'turns' | 'quote'>): Note {
  const dialogue = turns.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const discoveryTokens = Math.max(estimateTokens(quote), dialogue);
  return { ...note, metadata: { ...note.metadata, discoveryTokens } };
}
