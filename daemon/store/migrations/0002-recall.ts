import type { Migration } from './migration.ts';

/** Data of recall: facts that answer directly, skills, corpora, and whether a recall helped. */
export const recall: Migration = {
  version: 2,
  up: (db) =>
    db.exec(`
      CREATE TABLE persona (
        project    TEXT NOT NULL,
        field      TEXT NOT NULL,
        value      TEXT NOT NULL,
        confidence REAL NOT NULL,
        sources    TEXT NOT NULL DEFAULT '[]',
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (project, field)
      ) STRICT;

      CREATE TABLE skill (
        path         TEXT PRIMARY KEY,
        name         TEXT NOT NULL,
        agent        TEXT NOT NULL,
        tags         TEXT NOT NULL DEFAULT '[]',
        summary      TEXT NOT NULL,
        mtime_ms     REAL NOT NULL,
        refreshed_at INTEGER NOT NULL,
        stale        INTEGER NOT NULL DEFAULT 0
      ) STRICT;

      -- A corpus is a filter and the notes it chose when it was built; it is stale once the knowledge base has changed since.
      CREATE TABLE corpus (
        name     TEXT PRIMARY KEY,
        filter   TEXT NOT NULL,
        built_at INTEGER NOT NULL,
        version  INTEGER NOT NULL,
        members  TEXT NOT NULL
      ) STRICT;

      ALTER TABLE slot ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
      -- Whether the same session asked something else right after and got nothing in common: the answer was not what it needed.
      ALTER TABLE recall_log ADD COLUMN follow_up INTEGER NOT NULL DEFAULT 0;
    `),
};
