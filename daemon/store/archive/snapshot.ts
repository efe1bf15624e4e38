import Database from 'better-sqlite3';
import type { Note } from '#contract/entities.ts';
import { APPLICATION_ID, type Copied, copyRows, NEWEST, type TableShape, tablesAt } from './schema.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { renderDocument } from '../learnings/document-format.ts';
import { sidecarPath } from '../learnings/documents.ts';

/** The knowledge base as it stands now, whatever is written to it from now on. */
export interface Snapshot extends ReadableDb {
  close(): void;
}

export function openSnapshot(db: WritableDb): Snapshot {
  const reader = new Database(db.name, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM shard').get(); // a transaction begins to stand still with its first look
  return reader;
}

/** A file the snapshot speaks of. */
export interface ExpectedFile {
  id: string;
  /** What its row says of both files of the learning; null for one a person broke, which stays as it is. */
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

/** Both files of a learning as its row in the snapshot has them, for when those on disk are newer or gone. */
export function documentInSnapshot(snapshot: Snapshot, id: string): { markdown: string; sidecar: string } {
  const row = snapshot
    .prepare<[string], { note: string; createdAt: number; updatedAt: number }>(
      'SELECT note, created_at AS createdAt, updated_at AS updatedAt FROM learning WHERE id = ?',
    )
    .get(id);
  if (!row) throw new Error(`${id} is not in the snapshot`);
  const { note, ...times } = row;
  return renderDocument({ ...(JSON.parse(note) as Note), id, ...times }); // written from this type, and by nothing else
}

function selectOf({ name, columns, blank = {}, from = name, where = 'true', order }: TableShape): string {
  const taken = columns.map((column) =>
    blank[column] === undefined ? column : `${blank[column]} AS ${column}`,
  );
  return `SELECT ${taken.join(', ')} FROM ${from} WHERE ${where} ORDER BY ${order}`;
}

export function countArchived(snapshot: ReadableDb): Record<string, number> {
  return Object.fromEntries(
    tablesAt(NEWEST).map(({ name, from = name, where = 'true' }) => [
      name,
      snapshot.prepare<[], number>(`SELECT count(*) FROM ${from} WHERE ${where}`).pluck().get() as number,
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
 * Builds the database of an archive: a new file, filled in one transaction with tables by name and rows in order, so that its
 * bytes follow from the rows alone. `hashes` says which files went into the archive otherwise than their rows tell.
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
      const copying = copyRows(
        snapshot,
        selectOf(table),
        db,
        table,
        table.name === 'learning' ? rehashed(table, hashes) : undefined,
      );
      let step = copying.next();
      for (; !step.done; step = copying.next()) yield { table: table.name, rows: step.value };
      counts[table.name] = step.value;
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

export interface Grouped {
  value: string;
  count: number;
}

/** What a person wants to know of an export before it is made. */
export function countBy(db: ReadableDb, field: 'project' | 'category' | 'status'): Grouped[] {
  return db
    .prepare<[], Grouped>(
      `SELECT coalesce(${field}, '') AS value, count(*) AS count FROM learning GROUP BY 1 ORDER BY count DESC, value`,
    )
    .all();
}

/** About how large the database of an archive will be: its texts, and as much again for numbers and indexes of the notes. */
export function estimateDatabase(db: ReadableDb): number {
  return db
    .prepare<[], number>(
      `
    SELECT (SELECT coalesce(sum(length(note) + 600), 0) FROM learning)
         + (SELECT coalesce(sum(length(coalesce(before, '')) + length(coalesce(after, '')) + 200), 0) FROM change)
         + (SELECT coalesce(sum(length(payload) + 200), 0) FROM capture_window WHERE id IN (SELECT chunk FROM chunk_learning))
  `,
    )
    .pluck()
    .get() as number;
}
