import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import type { Note } from '#contract/entities.ts';
import {
  APPLICATION_ID,
  type Copied,
  copyRows,
  NEWEST,
  refused,
  SLICE,
  storeAt,
  type TableShape,
  tablesOf,
} from './schema.ts';
import { stagedLearnings } from './ingest.ts';
import type { WritableDb } from '../db.ts';
import {
  type DocumentFiles,
  normaliseNote,
  parseDocument,
  renderDocument,
} from '../learnings/document-format.ts';
import { DocumentProblem } from '../learnings/document-yaml.ts';
import { documentHash, readDocument, sidecarPath } from '../learnings/documents.ts';
import { migrate } from '../migrate.ts';

interface Claims {
  tables: Record<string, number>;
  /** The folder they were unpacked into. */
  documents: string;
}

/**
 * Copies the untrusted database of an archive into a store we create: its schema must match ours to the letter, so
 * nothing in it can run; rows go one by one through our constraints, then through the contract.
 */
export function* stageDatabase(
  untrusted: string,
  file: string,
  claims: Claims,
): Generator<Copied, { version: number }> {
  try {
    const version = yield* copyInto(untrusted, file, claims.tables);
    const staged = storeAt(file, version);
    try {
      migrate(staged, null);
      yield* checkRows(staged);
      checkTogether(staged);
      yield* checkDocuments(staged, claims.documents);
    } finally {
      staged.close();
    }
    return { version };
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE'))
      throw refused(`its database cannot be used: ${error.message}`);
    throw error;
  }
}

function* copyInto(
  untrusted: string,
  file: string,
  claimed: Record<string, number>,
): Generator<Copied, number> {
  const from = openUntrusted(untrusted);
  try {
    const version = versionOf(from);
    rmSync(file, { force: true });
    const to = storeAt(file, version);
    try {
      const tables = tablesOf(to);
      checkSchema(from, tables);
      if (from.pragma('quick_check(1)', { simple: true }) !== 'ok') throw refused('its database is damaged');
      checkTableNames(claimed, tables);
      to.pragma('foreign_keys = OFF'); // tables are copied by name; references are checked at the end
      to.pragma('synchronous = OFF'); // a crash discards the file anyway
      to.exec('BEGIN');
      for (const table of tables) {
        const rows = yield* copyRows(from, selectAll(table), to, table);
        if (rows !== claimed[table.name])
          throw refused(
            `its manifest counts ${claimed[table.name]} rows of ${table.name}, but there are ${rows}`,
          );
      }
      to.exec('COMMIT');
    } finally {
      to.close();
    }
    return version;
  } finally {
    from.close();
  }
}

/** In the order in which they were written. */
const selectAll = ({ name, columns, order, whole }: TableShape) =>
  `SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${whole === false ? columns.join(', ') : order}`;

function openUntrusted(file: string): Database.Database {
  const db = new Database(file, { readonly: true });
  for (const setting of ['trusted_schema = OFF', 'cell_size_check = ON', 'mmap_size = 0']) db.pragma(setting);
  return db;
}

function versionOf(db: Database.Database): number {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID)
    throw refused('its database was not made by Reflect');
  const version = db.pragma('user_version', { simple: true }) as number; // always an integer
  if (version > NEWEST)
    throw refused(`it is from a newer Reflect (version ${version}, this one knows ${NEWEST})`);
  if (version < 1) throw refused('its database has no version');
  return version;
}

/** Compares the SQL itself, not only names, so no foreign view, trigger, default or check is ever evaluated. */
function checkSchema(db: Database.Database, tables: TableShape[]): void {
  const plain = (sql: string) => sql.replace(/\s+/g, ' ').trim();
  const ours = new Map(
    tables.flatMap(({ name, sql, indexes }) => [
      [name, plain(sql)] as const,
      ...indexes.map((index) => [index.name, plain(index.sql)] as const),
    ]),
  );
  const theirs = db
    .prepare<[], { type: string; name: string; sql: string | null }>(
      'SELECT type, name, sql FROM sqlite_schema',
    )
    .all();
  for (const { type, name, sql } of theirs) {
    if (sql === null && type === 'index' && name.startsWith('sqlite_autoindex_')) continue; // made by SQLite itself for a key
    const expected = ours.get(name);
    if (expected === undefined)
      throw refused(`its database has a ${type} that Reflect does not export: ${name.slice(0, 100)}`);
    if (expected !== plain(sql ?? ''))
      throw refused(`the ${type} ${name} of its database differs from Reflect's`);
    ours.delete(name);
  }
  const [missing] = ours.keys();
  if (missing !== undefined) throw refused(`its database lacks ${missing}`);
}

function checkTableNames(claimed: Record<string, number>, tables: TableShape[]): void {
  const expected = new Set(tables.map(({ name }) => name));
  const odd = Object.keys(claimed).find((name) => !expected.delete(name)) ?? expected.values().next().value;
  if (odd !== undefined)
    throw refused(`its manifest and its database disagree about the table ${odd.slice(0, 100)}`);
}

function* checkRows(staged: WritableDb): Generator<Copied> {
  for (const { name, row: schema, columns } of tablesOf(staged)) {
    if (!schema) continue;
    let checked = 0;
    for (const row of staged
      .prepare<[], Record<string, unknown>>(`SELECT ${columns.join(', ')} FROM ${name}`)
      .iterate()) {
      const { success, error } = schema.safeParse(row);
      const [issue] = error?.issues ?? [];
      const which = typeof row.id === 'string' ? ` (${row.id.slice(0, 100)})` : '';
      if (!success)
        throw refused(`a row of ${name}${which} is not valid: ${issue?.path.join('.')}: ${issue?.message}`);
      if (++checked % SLICE === 0) yield { table: name, rows: checked };
    }
  }
}

/** Checks that need more than one row. */
function checkTogether(staged: WritableDb): void {
  const [stray] = staged.pragma('foreign_key_check') as Array<{ table: string; parent: string }>;
  if (stray) throw refused(`a row of ${stray.table} refers to a missing ${stray.parent}`);
  const id = (sql: string) => staged.value<string>(sql);
  const silent = id(
    'SELECT id FROM learning LEFT JOIN learning_signal USING (seq) WHERE learning_signal.seq IS NULL',
  );
  if (silent !== undefined) throw refused(`the learning ${silent} has no signals`);
  const misplaced = id(`
    SELECT learning.id FROM learning JOIN shard ON shard.id = shard
    WHERE shard.project <> iif(note ->> '$.scope' = 'global', '', note ->> '$.project')
       OR shard.branch <> iif(note ->> '$.scope' = 'global', '', coalesce(note ->> '$.branch', ''))
       OR shard.candidate <> (note ->> '$.status' = 'candidate')
  `);
  if (misplaced !== undefined)
    throw refused(`the learning ${misplaced} is filed under a project that is not its own`);
}

/**
 * Every learning must have its files, and they must say what its row says: without them the next rescan would take it
 * for deleted by hand, and with others a person would read something else than agents get.
 */
function* checkDocuments(staged: WritableDb, folder: string): Generator<Copied> {
  let checked = 0;
  for (const { path, hash, problem, note, ...learning } of stagedLearnings(staged)) {
    const files = readDocument(folder, path);
    if (files === null || files.sidecar === null)
      throw refused(`the document ${files === null ? path : sidecarPath(path)} is missing`);
    // A file that a person broke cannot be read; its learning keeps the last good version.
    const agrees = () => isRendered(files, { ...note, ...learning }) || saysTheSame(files, note);
    if (problem === null && !(documentHash(files) === hash && agrees()))
      throw refused(`the document ${path} differs from its database row`);
    if (++checked % SLICE === 0) yield { table: 'learning', rows: checked };
  }
}

/** True for nearly all files, and cheaper to check than parsing them. */
function isRendered(
  { markdown, sidecar }: DocumentFiles,
  learning: Parameters<typeof renderDocument>[0],
): boolean {
  const rendered = renderDocument(learning);
  return markdown === rendered.markdown && sidecar === rendered.sidecar;
}

/** A file need not name the project in whose folder it lies. */
function saysTheSame(files: DocumentFiles, note: Note): boolean {
  try {
    const { note: read } = parseDocument(files);
    return isDeepStrictEqual({ ...read, project: read.project || note.project }, normaliseNote(note));
  } catch (error) {
    if (error instanceof DocumentProblem) return false;
    throw error;
  }
}
