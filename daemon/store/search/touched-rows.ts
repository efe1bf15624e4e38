import type Database from 'better-sqlite3';

/** The part of a connection that a cache of its tables needs. */
export type CachedConnection = Pick<Database.Database, 'prepare' | 'exec' | 'function' | 'inTransaction'>;

/**
 * The rows of a table that were written since they were last read from it, for what is kept in memory beside the table.
 * A trigger records them, so no writer can forget to, and a transaction that is rolled back takes its record with it.
 */
export class TouchedRows {
  readonly #db: CachedConnection;
  readonly #name: string;
  /** False when there are surely none: every step of a recall asks, and there are hardly ever any. */
  #areSome = true;

  /** Of updates, only those that set one of these columns count. */
  constructor(db: CachedConnection, table: string, columns: string) {
    this.#db = db;
    this.#name = `temp.touched_${table}`;
    db.function(`on_touch_${table}`, () => {
      this.#areSome = true;
      return null;
    });
    // Not `OR IGNORE`: the conflict clause of the statement that fires a trigger replaces the trigger's own.
    const record = (row: string) =>
      `INSERT INTO touched_${table} SELECT ${row}.seq WHERE NOT EXISTS (SELECT 1 FROM touched_${table} WHERE seq = ${row}.seq); SELECT on_touch_${table}()`;
    db.exec(`
      CREATE TEMP TABLE IF NOT EXISTS touched_${table} (seq INTEGER PRIMARY KEY);
      CREATE TEMP TRIGGER IF NOT EXISTS insert_${table} AFTER INSERT ON main.${table} BEGIN ${record('new')}; END;
      CREATE TEMP TRIGGER IF NOT EXISTS update_${table} AFTER UPDATE OF ${columns} ON main.${table} BEGIN ${record('new')}; END;
      CREATE TEMP TRIGGER IF NOT EXISTS delete_${table} AFTER DELETE ON main.${table} BEGIN ${record('old')}; END;
    `);
  }

  /** Some of the touched rows, at most this many. They stay touched until `settle`. */
  some(limit: number): number[] {
    if (!this.#areSome) return [];
    const seqs = this.#db
      .prepare<[number], number>(`SELECT seq FROM ${this.#name} LIMIT ?`)
      .pluck()
      .all(limit);
    this.#areSome = seqs.length > 0;
    return seqs;
  }

  settle(seqs: readonly number[]): void {
    const forget = this.#db.prepare(`DELETE FROM ${this.#name} WHERE seq = ?`);
    for (const seq of seqs) forget.run(seq);
  }

  settleAll(): void {
    this.#db.exec(`DELETE FROM ${this.#name}`);
  }
}
