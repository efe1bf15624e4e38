import type { Migration } from './migration.ts';

/** Cost and result of each writer run, and the circuit breaker of each writer. */
export const writers: Migration = {
  version: 6,
  up: (db) =>
    db.exec(`
      CREATE TABLE writer_run (
        id         INTEGER PRIMARY KEY,
        at         INTEGER NOT NULL,
        writer     TEXT NOT NULL,
        model      TEXT NOT NULL,
        window     TEXT NOT NULL,
        tokens_in  INTEGER NOT NULL,
        tokens_out INTEGER NOT NULL,
        cost_usd   REAL,
        ms         INTEGER NOT NULL,
        outcome    TEXT NOT NULL,
        detail     TEXT NOT NULL
      ) STRICT;
      CREATE INDEX writer_run_at ON writer_run(at);
      CREATE INDEX writer_run_window ON writer_run(window);

      CREATE TABLE writer_quota (
        writer      TEXT NOT NULL,
        window      TEXT NOT NULL,
        utilization REAL NOT NULL,
        closed      INTEGER NOT NULL,
        resets_at   INTEGER,
        seen_at     INTEGER NOT NULL,
        PRIMARY KEY (writer, window)
      ) STRICT;

      CREATE TABLE writer_breaker (
        writer      TEXT PRIMARY KEY,
        streak      INTEGER NOT NULL,
        rests_until INTEGER NOT NULL,
        reason      TEXT NOT NULL
      ) STRICT;
    `),
};
