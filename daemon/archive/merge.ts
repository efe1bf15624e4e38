import { createHash } from 'node:crypto';
import type { Imported } from '#contract/archive.ts';
import type { Note } from '#contract/entities.ts';
import { stagedLearning, type StagedLearning, takeHistory, takeRest } from '../store/archive-merge.ts';
import { withStaged } from '../store/archive-restore.ts';
import { saysTheSame } from '../store/archive-stage.ts';
import { documentPath } from '../store/document-path.ts';
import { readDocument } from '../store/documents.ts';
import { addLearning, asOneUnit, type Reason, type Store } from '../store/learning-write.ts';
import { findLearning, getLearning, noteOf } from '../store/learnings.ts';
import { askMerge } from '../store/questions.ts';
import { contentWords, searchText } from '../store/search-index.ts';
import { isConflict, shown } from './diff.ts';
import type { Staged } from './import.ts';
import type { ArchiveParts } from './turns.ts';

const ACTOR = 'import';

/**
 * Adds what is not here, by id, each with its history, its signals and where it comes from. What is here and says something
 * else stays; the other version is held back beside it as a question to a person. All of it or nothing.
 */
export function mergeArchive({ store }: ArchiveParts, { file, documents, comparison }: Staged): Imported {
  const added = comparison.added.filter(({ kind }) => kind === 'learning');
  const conflicts = withStaged(store.db, file, () => asOneUnit(store, () => {
    const offset = takeHistory(store.db, added.map(({ id }) => id));
    for (const { id } of added) add(store, stagedLearning(store.db, id), documents);
    const asked = comparison.changed.filter(isConflict).filter(({ id }) => ask(store, stagedLearning(store.db, id)));
    takeRest(store.db, offset);
    return asked.length;
  }));
  return {
    mode: 'merge', added: shown(comparison.added), replaced: shown([]), removed: shown([]), stayed: shown(comparison.changed), conflicts, same: comparison.same, backup: null, keptFiles: null,
  };
}

function add(store: Store, { id, note, createdAt, updatedAt, path }: StagedLearning, documents: string): void {
  const files = readDocument(documents, path);
  // To the byte where the file says what its row says, as it does unless a person broke it.
  const found = files && saysTheSame(files, note) ? { path: documentPath(id, note), files, complete: true } : undefined;
  addLearning(store, note, because('it was in the archive'), { id, createdAt, updatedAt, ...(found ? { found } : {}) });
}

const because = (reason: string): Reason => ({ actor: ACTOR, kind: 'create', reason });

/** Holds the other version back beside ours; false when that was done before. */
function ask(store: Store, { id, note, createdAt, updatedAt }: StagedLearning): boolean {
  const incomingId = `${id.slice(0, 100)}-${createHash('sha256').update(JSON.stringify(note)).digest('hex').slice(0, 8)}`;
  if (findLearning(store.db, incomingId)) return false;
  const held: Note = { ...note, status: 'proposed', isLatest: true, supersededBy: null };
  addLearning(store, held, because(`an archive has ${id} in other words${note.status === 'active' ? '' : `; there it is ${note.status}`}`), { id: incomingId, createdAt, updatedAt });
  askMerge(store.db, { at: store.now(), similarity: likeness(noteOf(getLearning(store.db, id)), note), existingId: id, incomingId });
  return true;
}

/** The share of words they have in common. */
function likeness(one: Note, other: Note): number {
  const [words, others] = [one, other].map((note) => new Set(contentWords(Object.values(searchText(note)).join('\n')))) as [Set<string>, Set<string>];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared === 0 ? 0 : shared / (words.size + others.size - shared);
}
