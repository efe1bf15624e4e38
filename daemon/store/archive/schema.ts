import { DaemonError } from '#contract/errors.ts';
import { connect } from '../connection.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { ARCHIVED, type ArchivedTable } from './tables.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from '../migrations/index.ts';

export interface TableShape extends ArchivedTable {
  name: string;
  sql: string;
  /** Written columns; generated ones are left out. */
  columns: string[];
  indexes: Array<{ name: string; sql: string }>;
}

export const NEWEST = MIGRATIONS.length;
export const APPLICATION_ID = 0x5246_4c54; // 'RFLT'

/** The tables of an archive of this version, by name, exactly as the migrations up to it make them. */
export function tablesAt(version: number): TableShape[] {
  const db = storeAt(':memory:', version);
  try {
    return tablesOf(db);
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

/** The tables of a store that an archive holds. */
export function tablesOf(db: ReadableDb): TableShape[] {
  const schema = (type: string) =>
    db.rows<{ name: string; table: string; sql: string }>(
      'SELECT name, tbl_name AS "table", sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL ORDER BY name',
      type,
    );
  const indexes = schema('index');
  return schema('table').flatMap(({ name, sql }) => {
    const archived = ARCHIVED[name];
    const ofTable = indexes.filter(({ table }) => table === name);
    return archived ? [{ ...archived, name, sql, columns: columnsOf(db, name), indexes: ofTable }] : [];
  });
}

function columnsOf(db: ReadableDb, table: string): string[] {
  return db.values<string>('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0', table);
}

/** Rows handled before other work gets its turn. */
export const SLICE = 20;

/** How far the copying or checking of a table has come. */
export interface Copied {
  table: string;
  rows: number;
}

/** Copies rows as they come and returns how many there were. `change` may replace values of a row. */
export function* copyRows(
  from: Pick<ReadableDb, 'prepare'>,
  select: string,
  to: Pick<ReadableDb, 'prepare'>,
  { name, columns }: TableShape,
  change = (row: unknown[]) => row,
): Generator<Copied, number> {
  const insert = to.prepare(
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  let rows = 0;
  for (const row of from.prepare<[], unknown[]>(select).raw().iterate()) {
    insert.run(change(row)); // raw rows are arrays
    if (++rows % SLICE === 0) yield { table: name, rows };
  }
  return rows;
}

/** The one way to refuse an archive; the reason is shown to the person who chose the file. */
export const refused = (why: string): DaemonError => new DaemonError('bad-archive', why);
