import { isDeepStrictEqual } from 'node:util';
import type { Change, Learning, Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { noteAsCreated, recordChange } from './history.ts';
import type { WritableDb } from '../db.ts';
import { normaliseNote, parseDocument } from './document-format.ts';
import { DocumentProblem } from './document-yaml.ts';
import { idFromWords } from './document-path.ts';
import { documentOf, isOurs, keepAside, readDocument } from './documents.ts';
import { type FoundDocument, type Row, writeRow, writeTags, withoutSecrets } from './write-row.ts';
import { flushOutbox, type OnStep } from './outbox.ts';
import { replaceGraph } from '../graph/graph.ts';
import { isLive, isSearchable } from './searchable.ts';
import { closesCycle, findLearning, getLearning, noteOf } from './learnings.ts';
import { sameSearchText } from '../search/note-text.ts';
import { indexText } from '../search/words.ts';
import { heldIfSuspicious } from './held.ts';
import { proofCount, setSignals } from './signals.ts';
import { markUnexamined } from './unexamined.ts';
import { forgetVectors, moveVectors, outdateVectors } from '../search/vectors.ts';

/** The database and the folder of markdown files: the two halves every write keeps in step. */
export interface Store {
  db: WritableDb;
  documents: string;
  now: () => number;
  /** Called after each step of a write; a test kills the process there. */
  onStep?: OnStep;
  /** True to remove usage signals from a file in which a person wrote them (S9); otherwise such a file is refused. */
  stripSignals?: () => boolean;
}

export interface Reason {
  actor: string;
  kind: Change['kind'];
  reason: string;
  /** The first change of the event this is part of; they are undone together. */
  unit?: number | null | undefined;
  /** Where the evidence comes from. */
  source?: string;
  /** The number of proofs this adds; negative to remove some. */
  proofs?: number;
  /** True when the note says nothing new, so that it must not look new: it keeps its date. */
  keepsDate?: boolean;
  /** The version that an undo brings back: a note that becomes exactly this has its date again. */
  restores?: { note: Note; at: number } | undefined;
}

export interface Saved {
  learning: Learning;
  changeId: number;
}

interface NewLearning {
  id?: string;
  createdAt?: number | null;
  updatedAt?: number | null;
  found?: FoundDocument;
}

/** Adds a learning. The same words in the same place are the same learning: it is returned unchanged. */
export function addLearning(store: Store, note: Note, why: Reason, fixed: NewLearning = {}): Saved {
  const clean = normaliseNote(note);
  const id = fixed.id ?? freeId(store.db, clean);
  const known = findLearning(store.db, id);
  if (known && fixed.id !== undefined) throw new DaemonError('conflict', `a learning ${id} already exists`);
  if (known) return { learning: known, changeId: 0 };
  const at = store.now();
  return write(store, {
    id,
    note: clean,
    createdAt: fixed.createdAt ?? at,
    updatedAt: fixed.updatedAt ?? at,
    before: null,
    why,
    found: fixed.found,
  });
}

/** The id made from the note's words; a longer one when another note has it. */
function freeId(db: WritableDb, note: Note): string {
  const id = idFromWords(note);
  const known = findLearning(db, id);
  // A note that was edited since is still the note made from these words.
  const isThis = !known || sameWords(known, note) || sameWords(noteAsCreated(db, id), note);
  return isThis ? id : idFromWords(note, 16);
}

/** Changes some fields. A pending edit of the file is ingested first, so neither edit is lost. */
export function changeLearning(store: Store, id: string, patch: Partial<Note>, why: Reason): Saved {
  takePendingEdit(store, id);
  return rewrite(store, id, (note) => ({ ...note, ...patch }), why);
}

/** The note becomes what its file says. */
export function adoptDocument(
  store: Store,
  id: string,
  note: Note,
  found: FoundDocument,
  why: Reason,
): Saved {
  return rewrite(store, id, () => note, why, found);
}

function rewrite(
  store: Store,
  id: string,
  change: (note: Note) => Note,
  why: Reason,
  found?: FoundDocument,
): Saved {
  const before = getLearning(store.db, id);
  const note = normaliseNote(change(noteOf(before)));
  const restored = isDeepStrictEqual(note, why.restores?.note) ? why.restores : undefined;
  // A clock that jumped back must not make the newer version look older; a version with the same date would hide an
  // edit.
  const updatedAt = Math.max(why.keepsDate ? 0 : store.now(), before.updatedAt + 1);
  return write(store, {
    id,
    note,
    createdAt: before.createdAt,
    updatedAt: restored?.at ?? updatedAt,
    before: noteOf(before),
    why,
    found,
  });
}

export const BY_HAND = {
  actor: 'hand',
  kind: 'update',
  reason: 'the file was edited',
} as const satisfies Reason;

export const byHand = (remark: string): Reason => ({ ...BY_HAND, reason: `${BY_HAND.reason}${remark}` });

/** Ingests an edit on disk that the watcher has not reported yet, because the next write would overwrite it. */
function takePendingEdit(store: Store, id: string): void {
  const known = documentOf(store.db, id);
  const files = known && readDocument(store.documents, known.path);
  if (!files || isOurs(known, files)) return;
  try {
    const { id: written, note, stripped } = parseDocument(files, store.stripSignals?.());
    if (written !== null && written !== id) throw new DocumentProblem(`the file says it is ${written}`);
    const { entities, relations } = files.sidecar === null ? getLearning(store.db, id) : note;
    const edited = withoutSecrets(
      store.db,
      { ...note, entities, relations },
      { path: known.path, files, complete: written !== null && !stripped },
    );
    adoptDocument(store, id, edited.note, edited.found, byHand(edited.remark));
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error;
    keepAside(store.db, store.documents, known.path, error.message);
  }
}

/** Writes a note's files to their place again, from its row or from where they were found; the note does not change. */
export function restoreDocument(store: Store, id: string, found?: FoundDocument): void {
  const learning = getLearning(store.db, id);
  asOneUnit(store, () =>
    writeRow(store.db, {
      id,
      note: noteOf(learning),
      createdAt: learning.createdAt,
      updatedAt: learning.updatedAt,
      found,
    }),
  );
}

/** Makes several changes in one transaction; their files are written after the outermost commit. */
export function asOneUnit<T>(store: Store, work: () => T): T {
  const result = store.db.transaction(work)();
  if (!store.db.inTransaction) flushOutbox(store.db, store.documents, store.onStep);
  return result;
}

interface Unit extends Row {
  before: Note | null;
  why: Reason;
}

/**
 * Commits the row, indexes, change record and the text of both files together; the files are written from that commit.
 * After a crash in between, the next start writes the files from the outbox, so no note is ever half written.
 */
function write(store: Store, given: Unit): Saved {
  const { db } = store;
  const step = store.onStep ?? (() => {});
  const unit = judged(given);
  const { id, note, before } = unit;
  if (closesCycle(db, id, note.supersededBy))
    throw new DaemonError(
      'conflict',
      `${id} cannot be superseded by ${note.supersededBy}, which it supersedes itself`,
    );
  const changeId = db.transaction(() => {
    const seq = writeRow(db, unit);
    writeTags(db, seq, unit.note.tags);
    replaceGraph(db, seq, unit.note, unit.updatedAt);
    indexText(db, seq, unit.note);
    if (!isSearchable(unit.note)) forgetVectors(db, seq);
    else if (unit.before) {
      moveVectors(db, seq);
      if (!sameSearchText(unit.before, unit.note)) outdateVectors(db, seq);
    }
    // A restored or moved note must be compared with what was learned there since.
    const wasExamined = before && isLive(before) && sameSearchText(before, note) && samePlace(before, note);
    if (isLive(note) && !wasExamined) markUnexamined(db, seq);
    const change = record(store, unit);
    step('row written');
    return change;
  })();
  step('row committed');
  if (!db.inTransaction) flushOutbox(db, store.documents, step);
  return { learning: getLearning(db, unit.id), changeId };
}

/** A note that is held back says so in its file too, so that file is written again. */
function judged(unit: Unit): Unit {
  const note = heldIfSuspicious(unit.before, unit.note, unit.why);
  if (note === unit.note) return unit;
  return { ...unit, note, found: unit.found && { ...unit.found, complete: false } };
}

/** Adds or removes a proof: the note, its file and its date do not change (S4). */
export function proveLearning(store: Store, id: string, why: Reason): Saved {
  const { db } = store;
  const before = noteOf(getLearning(db, id));
  const changeId = db.transaction(() =>
    record(store, { id, before, note: before, updatedAt: store.now(), why: { proofs: 1, ...why } }),
  )();
  return { learning: getLearning(db, id), changeId };
}

/** Records the note and its proofs as they were before (S6), and announces the change. */
function record(
  { db, now }: Store,
  { id, before, note, updatedAt, why }: Pick<Unit, 'id' | 'before' | 'note' | 'updatedAt' | 'why'>,
): number {
  const { unit = null, source = '', proofs = 0, keepsDate = false, restores, ...rest } = why;
  const proofsBefore = before && proofCount(db, id);
  if (proofs !== 0) setSignals(db, id, { proofCount: Math.max(0, proofCount(db, id) + proofs) });
  const changeId = recordChange(db, {
    ...rest,
    at: keepsDate || restores ? now() : updatedAt,
    learningId: id,
    before,
    after: note,
    unit,
    source,
    proofsBefore,
    proofsAdded: proofs,
  });
  db.changes.announce({ type: 'learning.changed', kind: why.kind, learning: getLearning(db, id) });
  return changeId;
}

function samePlace(one: Note, other: Note): boolean {
  const fields = ['project', 'branch', 'scope'] as const;
  return fields.every((field) => one[field] === other[field]);
}

function sameWords(one: Note | null, other: Note): boolean {
  const fields = ['title', 'rule', 'fix', 'body', 'project', 'branch'] as const;
  return one !== null && fields.every((field) => one[field] === other[field]);
}
