import type { Note } from '#contract/entities.ts';

/** Somebody else's certainty is not ours: a foreign note is believed no more than one that capture noticed once. */
const MOST_FOREIGN_CONFIDENCE = 0.6;

/**
 * A note that was written elsewhere, as it may enter this knowledge base: it holds in its own project only and is believed
 * no more than a first hearing. A live one waits as a candidate until a person keeps it; a retired one stays retired.
 */
export function foreignNote(note: Note): Note {
  return {
    ...note,
    scope: 'project',
    status: note.status === 'active' ? 'candidate' : note.status,
    confidence: Math.min(note.confidence, MOST_FOREIGN_CONFIDENCE),
  };
}
