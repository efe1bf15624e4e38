import { connect } from '../connection.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { ARCHIVED, type ArchivedTable } from './tables.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from '../migrations/index.ts';

export interface TableShape extends ArchivedTable {
  name: string;
  sql: string;
  /** Those that are written; what is computed from them is not. */
  columns: string[];
  indexes: Array<{ name: string; sql: string }>;
}

export const NEWEST = MIGRATIONS.length;
export const APPLICATION_ID = 0x5246_4c54; // 'RFLT'

/** The tables of an archive of this version, by name, exactly as the migrations up to it make them. */
export function tablesAt(version: number): TableShape[] {
  const db = storeAt(':memory:', version);
  try {
    return archivedTables(db);
  } finally {
    db.close();
  }
}

/** An empty store as it was at this version. */
export function storeAt(file: string, version: number): WritableDb {
  const db = connect(file);
  migrate(db, null, MIGRATIONS.slice(0, version));
  return db;
}

function archivedTables(db: ReadableDb): TableShape[] {
  const schema = (type: string) =>
    db
      .prepare<[string], { name: string; table: string; sql: string }>(
        'SELECT name, tbl_name AS "table", sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL ORDER BY name',
      )
      .all(type);
  const indexes = schema('index');
  return schema('table').flatMap(({ name, sql }) => {
    const archived = ARCHIVED[name];
    return archived
      ? [
          {
            ...archived,
            name,
            sql,
            columns: columnsOf(db, name),
            indexes: indexes.filter(({ table }) => table === name),
          },
        ]
      : [];
  });
}

function columnsOf(db: ReadableDb, table: string): string[] {
  return db
    .prepare<[string], string>('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .pluck()
    .all(table) as string[];
}

/** How many rows are handled before others have their turn. */
export const SLICE = 200;

/** How far the copying or checking of a table has come. */
export interface Copied {
  table: string;
  rows: number;
}

/** Copies rows as they come; gives how many there were. `change` may put another value into a row. */
export function* copyRows(
  from: ReadableDb,
  select: string,
  to: WritableDb,
  { name, columns }: TableShape,
  change = (row: unknown[]) => row,
): Generator<number, number> {
  const insert = to.prepare(
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  let copied = 0;
  for (const row of from.prepare<[], unknown[]>(select).raw().iterate()) {
    insert.run(change(row as unknown[])); // raw rows are arrays
    if (++copied % SLICE === 0) yield copied;
  }
  return copied;
}
