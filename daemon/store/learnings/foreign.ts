import { isDeepStrictEqual } from 'node:util';
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

/** Fields that an import decides itself; where only these differ, two notes say the same. */
const DECIDED_HERE: ReadonlySet<string> = new Set([
  'status',
  'isLatest',
  'supersededBy',
  'scope',
  'confidence',
  'metadata',
] satisfies Array<keyof Note>);

/** The fields in which a note that was written elsewhere says something else than ours. */
export const differingFields = (ours: Note, theirs: Note): string[] =>
  (Object.keys(theirs) as Array<keyof Note>).filter(
    (field) => !DECIDED_HERE.has(field) && !isDeepStrictEqual(ours[field], theirs[field]),
  );
