import { basename } from 'node:path';
import { DocumentProblem, parseDocument } from '../store/document-format.ts';
import { documentAt, flagDocument, knownDocuments, listDocuments, readDocument } from '../store/documents.ts';
import { addLearning, changeLearning, documentHash, type Store } from '../store/learning-write.ts';
import { findLearning } from '../store/learnings.ts';

const BY_HAND = 'hand';

/** Looks at every note on disk and takes in what a person added, changed or deleted while nobody watched. */
export function rescanDocuments(store: Store): number {
  const onDisk = new Set(listDocuments(store.documents));
  const gone = knownDocuments(store.db).filter(({ path, status }) => !onDisk.has(path) && status !== 'forgotten');
  const changed = [...onDisk].filter((path) => takeInDocument(store, path)).length;
  for (const { id } of gone) noteDeleted(store, id);
  return changed + gone.length;
}

/** One file changed on disk: true when it changed what we know. */
export function takeInDocument(store: Store, path: string): boolean {
  const known = documentAt(store.db, path);
  const document = readDocument(store.documents, path);
  if (!document) {
    if (!known || known.status === 'forgotten') return false;
    noteDeleted(store, known.id);
    return true;
  }
  if (known?.hash === documentHash(document.markdown, document.sidecar ?? '') && !known.problem) return false;
  try {
    return apply(store, path, document);
  } catch (error) {
    if (!(error instanceof DocumentProblem) || !known) throw error;
    // The file stays as the person left it; recall goes on with the last good version until it reads again.
    flagDocument(store.db, known.id, error.message);
    return true;
  }
}

function apply(store: Store, path: string, document: { markdown: string; sidecar: string | null }): boolean {
  const { id, createdAt, note } = parseDocument(document, basename(path, '.md'));
  const known = findLearning(store.db, id);
  if (!known) {
    addLearning(store, note, { actor: BY_HAND, kind: 'create', reason: 'a file was added' }, createdAt === null ? { id } : { id, createdAt });
    return true;
  }
  const atPath = documentAt(store.db, path);
  if (atPath?.id !== id && readDocument(store.documents, knownPath(store, id))) {
    throw new DocumentProblem(`the id ${id} is already used by another file`);
  }
  // The sidecar says what entities there are; without one, those we know stay.
  const entities = document.sidecar === null ? { entities: known.entities, relations: known.relations } : {};
  changeLearning(store, id, { ...note, ...entities }, { actor: BY_HAND, kind: 'update', reason: 'the file was edited' });
  return true;
}

function knownPath(store: Store, id: string): string {
  return knownDocuments(store.db).find((document) => document.id === id)?.path ?? '';
}

function noteDeleted(store: Store, id: string): void {
  // Its last form goes to `.forgotten/`: a slip of the hand can be undone, and the file stays gone.
  changeLearning(store, id, { status: 'forgotten' }, { actor: BY_HAND, kind: 'archive', reason: 'the file was deleted' });
}
