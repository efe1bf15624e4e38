import { jaccard } from '../text/similarity.ts';
import { contentWords } from '../text/tokenise.ts';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { moveFile } from '../platform/files.ts';
import type { Imported } from '#contract/archive.ts';
import type { Note } from '#contract/entities.ts';
import {
  addHistory,
  addRest,
  stagedLearning,
  type StagedLearning,
  withStaged,
} from '../store/archive/ingest.ts';
import { documentPath } from '../store/learnings/document-path.ts';
import { readDocument, sidecarPath } from '../store/learnings/documents.ts';
import { flushOutbox } from '../store/learnings/outbox.ts';
import { addLearning, type Reason, type Store } from '../store/learnings/write.ts';
import { findLearning, getLearning, noteOf } from '../store/learnings/learnings.ts';
import { askMerge } from '../store/learnings/questions.ts';
import { searchText } from '../store/search/note-text.ts';
import { isConflict, merged } from './compare.ts';
import type { OpenArchive } from './open-archive.ts';
import { Turns } from '../platform/turns.ts';
import type { ArchiveParts, Tell } from './archive-parts.ts';

const ACTOR = 'import';

/**
 * Adds learnings that are not here, by id, each with its history, signals and origin. A learning that differs stays as it is;
 * the other version is held back beside it as a merge question for a person. All of it or nothing.
 */
export async function mergeArchive(
  parts: ArchiveParts,
  { file, documents, comparison }: OpenArchive,
  tell: Tell,
): Promise<Imported> {
  const { store } = parts;
  const added = comparison.added.filter(({ kind }) => kind === 'learning').map(({ id }) => id);
  const { conflicts, files } = withStaged(store.db, file, () =>
    store.db.transaction(() => {
      const offset = addHistory(store.db, added);
      const moves = added.flatMap((id) => add(store, stagedLearning(store.db, id), documents));
      const asked = comparison.changed
        .filter(isConflict)
        .filter(({ id }) => askAbout(store, stagedLearning(store.db, id)));
      addRest(store.db, offset);
      return { conflicts: asked.length, files: moves };
    })(),
  );
  store.onStep?.('rows merged');
  await writeFiles(parts, files, added.length + conflicts, tell);
  return merged(comparison, conflicts);
}

const SLICE = 100; // notes

/** Most files only need to be moved into place: writing them again would take ten times as long. */
async function writeFiles(
  { store, signal }: ArchiveParts,
  files: Move[],
  notes: number,
  tell: Tell,
): Promise<void> {
  for (const { from, to } of files) {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    if (!existsSync(to)) moveFile(from, to);
  }
  const turns = new Turns(signal, { rests: false });
  for (let done = 0; done < notes; done += SLICE) {
    flushOutbox(store.db, store.documents, store.onStep, SLICE);
    tell('writing', done, notes);
    await turns.next();
  }
}

interface Move {
  from: string;
  to: string;
}

/** Returns the files to move unchanged: all that a person did not break. */
function add(
  store: Store,
  { id, note, createdAt, updatedAt, path, problem }: StagedLearning,
  documents: string,
): Move[] {
  const files = problem === null ? readDocument(documents, path) : null;
  const place = documentPath(id, note);
  const found = files ? { path: place, files, complete: true } : undefined;
  addLearning(store, note, because('it was in the archive'), {
    id,
    createdAt,
    updatedAt,
    ...(found ? { found } : {}),
  });
  if (!found) return [];
  return [
    [path, place],
    [sidecarPath(path), sidecarPath(place)],
  ].map(([from = '', to = '']) => ({ from: join(documents, from), to: join(store.documents, to) }));
}

export const because = (reason: string): Reason => ({ actor: ACTOR, kind: 'create', reason });

/** Holds the other version back beside ours; false if that was done already. */
export function askAbout(
  store: Store,
  { id, note, createdAt, updatedAt }: Pick<StagedLearning, 'id' | 'note' | 'createdAt' | 'updatedAt'>,
  who = 'an archive',
): boolean {
  const incomingId = `${id.slice(0, 100)}-${createHash('sha256').update(JSON.stringify(note)).digest('hex').slice(0, 8)}`;
  if (findLearning(store.db, incomingId)) return false;
  const held: Note = { ...note, status: 'proposed', isLatest: true, supersededBy: null };
  const fate = note.status === 'active' ? '' : `; there it is ${note.status}`;
  addLearning(store, held, because(`${who} has ${id} in other words${fate}`), {
    id: incomingId,
    createdAt,
    updatedAt,
  });
  askMerge(store.db, {
    at: store.now(),
    similarity: likeness(noteOf(getLearning(store.db, id)), note),
    existingId: id,
    incomingId,
  });
  return true;
}

/** The share of words they have in common. */
function likeness(one: Note, other: Note): number {
  const words = (note: Note) => new Set(contentWords(Object.values(searchText(note)).join('\n')));
  return jaccard(words(one), words(other));
}
