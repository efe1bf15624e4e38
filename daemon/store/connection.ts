import Database from 'better-sqlite3';
import { claimFile } from '../platform/files.ts';
import { ChangeFeed } from './changes.ts';
import { StoreHealth } from './health.ts';
import { SearchCache } from './search/search-cache.ts';
import { addVectorFunctions } from './search/vector-functions.ts';
import { StatementCache } from './statement-cache.ts';

type Work = Parameters<Database.Database['transaction']>[0];

/** Values by name in an object, or by place in a list; a single value needs no list. */
type SqlParameters = string | number | object | null;

/** A connection that publishes what is written through it and compiles each statement once. */
export class StoreDatabase extends Database {
  readonly changes = new ChangeFeed(() => this.inTransaction);
  readonly health = new StoreHealth();
  /** By row, the text that is being written to a note's files without waiting for it (learnings/outbox.ts). */
  readonly writtenAside = new Map<number, string>();
  readonly #statements = new StatementCache((sql) => super.prepare(sql));

  #search: SearchCache | undefined;

  /** The search indexes in memory, from the first search on; none while a transaction is open: they do not see it. */
  get search(): SearchCache | undefined {
    if (this.inTransaction) return undefined;
    return (this.#search ??= new SearchCache(this));
  }

  /** Another connection has written: the triggers of this one did not see it. */
  readAnew(): void {
    this.#search?.discard();
    this.#search = undefined;
  }

  override prepare<P extends unknown[] | object = unknown[], R = unknown>(sql: string) {
    return this.#statements.get(sql) as Database.Statement<P, R>; // the caller knows its columns, SQLite does not
  }

  /** All rows that a query finds. */
  rows<R>(sql: string, parameters: SqlParameters = []): R[] {
    return this.prepare<[SqlParameters], R>(sql).all(bindable(parameters));
  }

  /** The first row. */
  row<R>(sql: string, parameters: SqlParameters = []): R | undefined {
    return this.prepare<[SqlParameters], R>(sql).get(bindable(parameters));
  }

  /** The first column of all rows. */
  values<V>(sql: string, parameters: SqlParameters = []): V[] {
    return this.prepare<[SqlParameters], V>(sql).pluck().all(bindable(parameters));
  }

  /** The first column of the first row. */
  value<V>(sql: string, parameters: SqlParameters = []): V | undefined {
    return this.prepare<[SqlParameters], V>(sql).pluck().get(bindable(parameters));
  }

  count(sql: string, parameters: SqlParameters = []): number {
    return this.value<number>(sql, parameters) ?? 0;
  }

  /** True when a query finds anything. */
  has(sql: string, parameters: SqlParameters = []): boolean {
    return this.row(sql, parameters) !== undefined;
  }

  /** Carries out a statement that writes. */
  run(sql: string, parameters: SqlParameters = []): Database.RunResult {
    return this.prepare<[SqlParameters]>(sql).run(bindable(parameters));
  }

  /** Adds a row. `into` names the table and its columns; `span_start` is filled by the field `spanStart`. */
  insert(into: string, row: object): Database.RunResult {
    return this.run(`INSERT ${into} VALUES (${columnsOf(into).map(fieldOf).join(', ')})`, row);
  }

  /** Adds a row, or changes the one with the same key, which keeps its place in the table. */
  upsert(into: string, key: string, row: object): Database.RunResult {
    const columns = columnsOf(into);
    const others = columns.filter((column) => !key.split(', ').includes(column));
    return this.run(
      `INSERT ${into} VALUES (${columns.map(fieldOf).join(', ')})
       ON CONFLICT (${key}) DO UPDATE SET ${others.map((column) => `${column} = ${fieldOf(column)}`).join(', ')}`,
      row,
    );
  }

  /** A SQLite transaction whose changes are published once the outermost one is committed. */
  override transaction<F extends Work>(work: F): Database.Transaction<F> {
    const begin = super.transaction(work);
    const collected =
      (run: Database.Transaction<F>['default']): Database.Transaction<F>['default'] =>
      (...args) =>
        this.changes.collect(() => run(...args));
    return Object.assign(collected(begin), {
      default: collected((...args) => begin.default(...args)),
      deferred: collected((...args) => begin.deferred(...args)),
      immediate: collected((...args) => begin.immediate(...args)),
      exclusive: collected((...args) => begin.exclusive(...args)),
    });
  }
}

/** The columns that `slot (project, name)` names. */
const columnsOf = (into: string): string[] => /\((.+)\)/.exec(into)?.[1]?.split(', ') ?? [];

/** `span_start` is filled by `:spanStart`. */
const fieldOf = (column: string): string =>
  `:${column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;

function bindable(parameters: SqlParameters): SqlParameters {
  if (typeof parameters !== 'object' || parameters === null || parameters instanceof Uint8Array)
    return parameters;
  if (Array.isArray(parameters)) return parameters.map(bound);
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, bound(value)]));
}

/** A list is bound as JSON, for `json_each`, and what is absent as NULL. SQLite has no booleans. */
function bound(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value) : (value ?? null);
}

/** `file` may also be the content of a database, which is then opened in memory. */
export function connect(file: string | Buffer, options: Database.Options = {}): StoreDatabase {
  if (typeof file === 'string' && file !== ':memory:') claimFile(file); // SQLite would create it readable by all
  const db = new StoreDatabase(file, options);
  addVectorFunctions(db);
  db.pragma('busy_timeout = 5000');
  try {
    db.pragma('journal_mode = WAL');
  } catch (error) {
    db.close(); // not a database; on Windows an open file could not be set aside
    throw error;
  }
  db.pragma('synchronous = NORMAL'); // WAL keeps the file sound; FULL would cost an fsync per recall logged
  db.pragma('journal_size_limit = 16000000'); // bytes of the log that stay on disk after a burst, such as an import
  db.pragma('temp_store = MEMORY'); // undo pages of single statements: on disk they were most of an import's writes
  db.pragma('foreign_keys = ON');
  db.pragma('cache_size = -16000'); // KiB
  return db;
}
