import type { Note } from '#contract/entities.ts';
import { isLive } from './searchable.ts';

/** Somebody else's certainty is not ours: a foreign note is believed no more than one that capture noticed once. */
const MOST_FOREIGN_CONFIDENCE = 0.6;

/**
 * A note that was written elsewhere, as it may enter this knowledge base: it holds in its own project only and is
 * believed no more than a first hearing. A live one waits until a person keeps it; a retired one stays retired.
 */
export function foreignNote(note: Note, waitsAs: 'candidate' | 'proposed'): Note {
  return {
    ...note,
    scope: 'project',
    status: isLive(note) ? waitsAs : note.status,
    confidence: Math.min(note.confidence, MOST_FOREIGN_CONFIDENCE),
  };
}
