import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Change, Learning, Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { recordChange } from './changes.ts';
import type { WritableDb } from './db.ts';
import { renderDocument } from './document-format.ts';
import { flushOutbox, type OnStep } from './documents.ts';
import { replaceGraph } from './graph.ts';
import { findLearning, getLearning, noteOf } from './learnings.ts';
import { indexText, sameSearchText } from './search-index.ts';
import { shardFor } from './shards.ts';
import { forgetVectors, moveVectors, outdateVectors } from './vectors.ts';

/** The database and the folder of markdown files: the two halves every write keeps in step. */
export interface Store {
  db: WritableDb;
  documents: string;
  now: () => number;
  /** Called after each step of a write; a test kills the process there. */
  onStep?: OnStep;
  /** Told after every change, for live UIs and the embedder. */
  onChange?: (learning: Learning, kind: Change['kind']) => void;
}

export interface Reason {
  actor: string;
  kind: Change['kind'];
  reason: string;
}

export interface Saved {
  learning: Learning;
  changeId: number;
}

/** Adds a learning. The same words in the same place are the same learning: it is returned unchanged. */
export function addLearning(store: Store, note: Note, why: Reason, given: { id?: string; createdAt?: number } = {}): Saved {
  const id = given.id ?? learningId(note);
  const known = findLearning(store.db, id);
  if (known && given.id === undefined && sameWords(known, note)) return { learning: known, changeId: 0 };
  if (known) throw new DaemonError('conflict', `there is a learning ${id} already`);
  const at = store.now();
  return write(store, { id, note, createdAt: given.createdAt ?? at, updatedAt: at, before: null, why });
}

export function changeLearning(store: Store, id: string, patch: Partial<Note>, why: Reason): Saved {
  const before = getLearning(store.db, id);
  const note = { ...noteOf(before), ...patch };
  // A clock that jumped back must not make the newer version look older.
  const updatedAt = Math.max(store.now(), before.updatedAt + 1);
  return write(store, { id, note, createdAt: before.createdAt, updatedAt, before: noteOf(before), why });
}

/** Several changes that stand or fall together; their files are written once all of them are committed. */
export function asOneUnit<T>(store: Store, work: () => T): T {
  const result = store.db.transaction(work)();
  flushOutbox(store.db, store.documents, store.onStep);
  return result;
}

interface Unit {
  id: string;
  note: Note;
  createdAt: number;
  updatedAt: number;
  before: Note | null;
  why: Reason;
}

/**
 * Row, indexes, change record and the text of both files are committed together; the files are written from that
 * commit. A crash in between leaves the outbox full, and the next start empties it: nothing can be half there.
 */
function write(store: Store, unit: Unit): Saved {
  const { db } = store;
  const step = store.onStep ?? (() => {});
  const changeId = db.transaction(() => {
    const seq = writeRow(db, unit);
    writeTags(db, seq, unit.note.tags);
    replaceGraph(db, seq, unit.note, unit.updatedAt);
    indexText(db, seq, unit.note);
    if (!isLive(unit.note)) forgetVectors(db, seq);
    else if (unit.before) {
      moveVectors(db, seq);
      if (!sameSearchText(unit.before, unit.note)) outdateVectors(db, seq);
    }
    return recordChange(db, { ...unit.why, at: unit.updatedAt, learningId: unit.id, before: unit.before, after: unit.note });
  })();
  step('row committed');
  if (!db.inTransaction) flushOutbox(db, store.documents, step);
  const learning = getLearning(db, unit.id);
  store.onChange?.(learning, unit.why.kind);
  return { learning, changeId };
}

function writeRow(db: WritableDb, { id, note, createdAt, updatedAt }: Unit): number {
  const document = renderDocument({ ...note, id, createdAt, updatedAt });
  const old = db.prepare<[string], { seq: number; path: string }>('SELECT seq, document_path AS path FROM learning WHERE id = ?').get(id);
  const row = {
    id, createdAt, updatedAt, note: JSON.stringify(note), shard: shardFor(db, note),
    path: documentPath(id, note), hash: documentHash(document.markdown, document.sidecar),
  };
  const seq = db.prepare<[object], number>(`
    INSERT INTO learning (id, shard, note, created_at, updated_at, document_path, document_hash)
    VALUES (:id, :shard, :note, :createdAt, :updatedAt, :path, :hash)
    ON CONFLICT (id) DO UPDATE SET shard = :shard, note = :note, updated_at = :updatedAt, document_path = :path, document_hash = :hash, document_problem = NULL
    RETURNING seq
  `).pluck().get(row) as number;
  db.prepare('INSERT OR IGNORE INTO learning_signal (seq) VALUES (?)').run(seq);
  db.prepare('INSERT OR REPLACE INTO document_outbox (seq, path, markdown, sidecar, old_path) VALUES (?, ?, ?, ?, ?)')
    .run(seq, row.path, document.markdown, document.sidecar, old && old.path !== row.path ? old.path : null);
  return seq;
}

function writeTags(db: WritableDb, seq: number, tags: string[]): void {
  db.prepare('DELETE FROM learning_tag WHERE seq = ?').run(seq);
  const insert = db.prepare('INSERT OR IGNORE INTO learning_tag (tag, seq) VALUES (?, ?)');
  for (const tag of tags) insert.run(tag, seq);
}

export const isLive = (note: Pick<Note, 'status' | 'isLatest'>): boolean => note.status === 'active' && note.isLatest;

export function documentHash(markdown: string, sidecar: string): string {
  return createHash('sha256').update(markdown).update('\0').update(sidecar).digest('hex').slice(0, 32);
}

/** Readable first, then unique: the same lesson of the same project gets the same id on every machine. */
function learningId(note: Note): string {
  const slug = note.title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 48).replace(/-$/, '');
  const hash = createHash('sha256').update([note.project, note.branch ?? '', note.title, note.rule, note.fix, note.body].join('\n')).digest('hex');
  return `lrn-${slug || 'note'}-${hash.slice(0, 6)}`;
}

function sameWords(one: Note, other: Note): boolean {
  const fields = ['title', 'rule', 'fix', 'body', 'project', 'branch'] as const;
  return fields.every((field) => one[field] === other[field]);
}

/** `<project>/[branches/<branch>/]<id>.md`, relative to the documents folder; what is forgotten lies below `.forgotten/`. */
export function documentPath(id: string, note: Pick<Note, 'project' | 'branch' | 'scope' | 'status'>): string {
  return join(note.status === 'forgotten' ? '.forgotten' : '', folderOf(note), `${id}.md`);
}

function folderOf({ project, branch, scope }: Pick<Note, 'project' | 'branch' | 'scope'>): string {
  if (scope === 'global' || project === '') return 'global';
  const folder = project.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|-+$/g, '') || 'project';
  const twig = branch?.toLowerCase().replace(/[/\\: ]/g, '__').replace(/[^a-z0-9._-]/g, '-').replace(/^\.+/, '');
  return twig ? join(folder, 'branches', twig) : folder;
}
