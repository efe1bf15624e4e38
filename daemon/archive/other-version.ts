import type { Note } from '#contract/entities.ts';
import type { ReadableDb } from '../store/db.ts';
import { normaliseNote } from '../store/learnings/document-format.ts';
import { findLearning, getLearning, noteOf } from '../store/learnings/learnings.ts';
import { askMerge } from '../store/learnings/questions.ts';
import { addLearning, type Reason, type Store } from '../store/learnings/write.ts';
import { searchText } from '../store/search/note-text.ts';
import { jaccard } from '../text/similarity.ts';
import { contentWords } from '../text/tokenise.ts';
import { sha256 } from '../platform/sha256.ts';

export const because = (reason: string): Reason => ({ actor: 'import', kind: 'create', reason });

interface Version {
  id: string;
  note: Note;
  createdAt: number;
  updatedAt: number;
}

/** The other version of a learning, held back beside ours under its own id; null if that was done already. */
export function otherVersion(
  db: ReadableDb,
  { id, note, ...dates }: Version,
  who: string,
): (Version & { reason: string }) | null {
  const digest = sha256(JSON.stringify(note)).slice(0, 8);
  const other = `${id.slice(0, 100)}-${digest}`;
  if (findLearning(db, other)) return null;
  const fate = note.status === 'active' ? '' : `; there it is ${note.status}`;
  const held = normaliseNote({ ...note, status: 'proposed', isLatest: true, supersededBy: null });
  return { id: other, note: held, ...dates, reason: `${who} has ${id} in other words${fate}` };
}

/** Holds the other version back beside ours; false if that was done already. */
export function askWhichVersion(store: Store, theirs: Version, who: string): boolean {
  const other = otherVersion(store.db, theirs, who);
  if (!other) return false;
  addLearning(store, other.note, because(other.reason), other);
  askWhichIsRight(store, theirs.id, other);
  return true;
}

export function askWhichIsRight(
  store: Store,
  ours: string,
  { id, note }: Pick<Version, 'id' | 'note'>,
): void {
  askMerge(store, {
    similarity: likeness(noteOf(getLearning(store.db, ours)), note),
    existingId: ours,
    incomingId: id,
  });
}

/** The share of words they have in common. */
function likeness(one: Note, other: Note): number {
  const words = (note: Note) => new Set(contentWords(Object.values(searchText(note)).join('\n')));
  return jaccard(words(one), words(other));
}
