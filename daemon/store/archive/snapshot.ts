import Database from 'better-sqlite3';
import { StoreDatabase } from '../connection.ts';
import {
  APPLICATION_ID,
  type Copied,
  copyRows,
  NEWEST,
  type TableShape,
  tablesAt,
  tablesOf,
} from './schema.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { renderDocument } from '../learnings/document-format.ts';
import { sidecarPath } from '../learnings/documents.ts';
import { NOTE } from '../columns.ts';

/** The knowledge base as it is now, unaffected by later writes. */
export interface Snapshot extends ReadableDb {
  close(): void;
}

export function openSnapshot(db: WritableDb): Snapshot {
  const reader = new StoreDatabase(db.name, { readonly: true });
  reader.exec('BEGIN');
  reader.row('SELECT count(*) FROM shard'); // SQLite takes the snapshot at the first read, not at BEGIN
  return reader;
}

/** A file that a learning in the snapshot must have. */
export interface ExpectedFile {
  id: string;
  /** Hash of both files of the learning; null for a file a person broke, which is exported as it is. */
  documentHash: string | null;
}

/** By path, with `/` on every system. */
export function* expectedFiles(snapshot: Snapshot): Generator<[string, ExpectedFile]> {
  const rows = snapshot.prepare<[], ExpectedFile & { path: string }>(
    `SELECT id, replace(document_path, '\\', '/') AS path, iif(document_problem IS NULL, document_hash, NULL) AS documentHash FROM learning`,
  );
  for (const { path, ...expected } of rows.iterate()) {
    yield [path, expected];
    yield [sidecarPath(path), expected];
  }
}

/** Both files of a learning rendered from its snapshot row, for when those on disk are newer or gone. */
export function documentInSnapshot(snapshot: Snapshot, id: string): { markdown: string; sidecar: string } {
  const row = snapshot.row<{ note: string; createdAt: number; updatedAt: number }>(
    'SELECT note, created_at AS createdAt, updated_at AS updatedAt FROM learning WHERE id = ?',
    id,
  );
  if (!row) throw new Error(`${id} is not in the snapshot`);
  const { note, ...times } = row;
  return renderDocument({ ...NOTE.read(note), id, ...times });
}

function selectOf({ name, columns, blank = {}, from = name, where = 'true', order }: TableShape): string {
  const taken = columns.map((column) =>
    blank[column] === undefined ? column : `${blank[column]} AS ${column}`,
  );
  return `SELECT ${taken.join(', ')} FROM ${from} WHERE ${where} ORDER BY ${order}`;
}

export function countArchived(snapshot: ReadableDb): Record<string, number> {
  return Object.fromEntries(
    tablesOf(snapshot).map(({ name, from = name, where = 'true' }) => [
      name,
      snapshot.count(`SELECT count(*) FROM ${from} WHERE ${where}`),
    ]),
  );
}

const SETTINGS = [
  'page_size = 4096',
  'journal_mode = OFF',
  'synchronous = OFF',
  'secure_delete = ON',
  'foreign_keys = OFF',
  `application_id = ${APPLICATION_ID}`,
];

/**
 * Builds the database of an archive: a new file, filled in one transaction with tables by name and rows in order, so
 * its bytes depend on the rows alone. `hashes` has the learnings whose exported files differ from their rows.
 */
export function* buildDatabase(
  snapshot: Snapshot,
  file: string,
  hashes: ReadonlyMap<string, string>,
): Generator<Copied, Record<string, number>> {
  const db = new Database(file);
  try {
    for (const setting of SETTINGS) db.pragma(setting);
    db.exec('BEGIN');
    const tables = tablesAt(NEWEST);
    const counts: Record<string, number> = {};
    for (const { sql } of tables) db.exec(sql);
    for (const table of tables) {
      const change = table.name === 'learning' ? rehashed(table, hashes) : undefined;
      counts[table.name] = yield* copyRows(snapshot, selectOf(table), db, table, change);
    }
    for (const { name, sql } of tables.flatMap(({ indexes }) => indexes)) {
      db.exec(sql);
      yield { table: name, rows: 0 };
    }
    db.pragma(`user_version = ${NEWEST}`);
    db.exec('COMMIT');
    return counts;
  } finally {
    db.close();
  }
}

function rehashed(
  { columns }: TableShape,
  hashes: ReadonlyMap<string, string>,
): (row: unknown[]) => unknown[] {
  const [id, hash] = [columns.indexOf('id'), columns.indexOf('document_hash')];
  return (row) => row.with(hash, hashes.get(row[id] as string) ?? row[hash]); // ids are text in a STRICT table
}

interface Grouped {
  value: string;
  count: number;
}

/** Learnings per project, category or status, for the preview of an export. */
export function countBy(db: ReadableDb, field: 'project' | 'category' | 'status'): Grouped[] {
  return db.rows<Grouped>(
    `SELECT coalesce(${field}, '') AS value, count(*) AS count FROM learning GROUP BY 1 ORDER BY count DESC, value`,
  );
}

/** Estimated size of an archive's database: its texts plus a fixed share per row for numbers and indexes. */
export function estimateDatabase(db: ReadableDb): number {
  return db.value<number>(`SELECT (SELECT coalesce(sum(length(note) + 600), 0) FROM learning)
       + (SELECT coalesce(sum(length(coalesce(before, '')) + length(coalesce(after, '')) + 200), 0) FROM change)
       + (SELECT coalesce(sum(length(payload) + 200), 0) FROM capture_window WHERE id IN (SELECT chunk FROM chunk_learning))`) as number;
}
