import type { Note } from '#contract/entities.ts';
import { NOTE } from '../columns.ts';
import type { WritableDb } from '../db.ts';
import { shardFor } from '../search/shards.ts';
import { type Document, type DocumentFiles, renderDocument } from './document-format.ts';
import { documentPath } from './document-path.ts';
import { documentHash, documentOf } from './documents.ts';
import { putInOutbox } from './outbox.ts';
import { redactAll } from '../../privacy/redact.ts';
import { countRedactions } from '../meta.ts';

/** A file a person wrote, from which a note was read. */
export interface FoundDocument {
  path: string;
  files: DocumentFiles;
  /** True when the file has all of the note, so it can stay exactly as it is. */
  complete: boolean;
}

export interface Row {
  id: string;
  note: Note;
  createdAt: number;
  updatedAt: number;
  found?: FoundDocument | undefined;
}

/** Writes a note's row and queues its files; returns the row number. */
export function writeRow(db: WritableDb, { id, note, createdAt, updatedAt, found }: Row): number {
  const document = documentFor({ id, note, createdAt, updatedAt, found });
  const old = documentOf(db, id);
  const path = documentPath(id, note);
  const seq = db.value<number>(
    `INSERT INTO learning (id, shard, note, created_at, updated_at, document_path, document_hash)
  VALUES (:id, :shard, :note, :createdAt, :updatedAt, :path, :hash)
  ON CONFLICT (id) DO UPDATE SET shard = :shard, note = :note, updated_at = :updatedAt, document_path = :path, document_hash = :hash, document_problem = NULL
  RETURNING seq`,
    {
      id,
      createdAt,
      updatedAt,
      note: NOTE.write(note),
      shard: shardFor(db, note),
      path,
      hash: documentHash(document),
    },
  ) as number;
  db.insert('OR IGNORE INTO learning_signal (seq)', { seq });
  const known = [
    ...(old ? [{ path: old.path, hash: old.hash }] : []),
    ...(found ? [{ path: found.path, hash: documentHash(found.files) }] : []),
  ];
  putInOutbox(db, seq, path, document, known);
  return seq;
}

/** The person's own files where they are complete; missing parts are rendered. */
function documentFor({ note, found, ...row }: Row): Document {
  const kept = found?.complete ? found.files : null;
  if (kept && kept.sidecar !== null) return { markdown: kept.markdown, sidecar: kept.sidecar };
  const rendered = renderDocument({ ...note, ...row });
  return kept ? { ...rendered, markdown: kept.markdown } : rendered;
}

export function writeTags(db: WritableDb, seq: number, tags: string[]): void {
  db.run('DELETE FROM learning_tag WHERE seq = ?', seq);
  const insert = db.prepare('INSERT OR IGNORE INTO learning_tag (tag, seq) VALUES (?, ?)');
  for (const tag of tags) insert.run(tag, seq);
}

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
