import type { Note } from '#contract/entities.ts';
import { redactAll } from '../../privacy/redact.ts';
import type { WritableDb } from '../db.ts';
import { countRedactions } from '../meta.ts';
import type { FoundDocument } from './write-row.ts';

interface HandEdited {
  note: Note;
  found: FoundDocument;
  /** Says in the history which secrets were taken out; '' when there were none. */
  remark: string;
}

/**
 * A file is a way in like any other, so secrets are taken out of what a person wrote there. The file is then written
 * again without them, and the history says what was removed.
 */
export function withoutSecrets(db: WritableDb, note: Note, found: FoundDocument): HandEdited {
  const counts: Record<string, number> = {};
  const clean = redactAll(note, counts);
  const kinds = Object.keys(counts);
  if (kinds.length === 0) return { note, found, remark: '' };
  countRedactions(db, counts);
  return { note: clean, found: { ...found, complete: false }, remark: `; removed: ${kinds.join(', ')}` };
}
