import type { Migration } from './migration.ts';

/** Other things that signals notice besides lessons: commits, effects, and errors that count only when they recur. */
export const signals: Migration = {
  version: 4,
  up: (db) =>
    db.exec(`
      CREATE TABLE commit_link (
        sha               TEXT PRIMARY KEY,
        session           TEXT NOT NULL,
        project           TEXT NOT NULL,
        branch            TEXT NOT NULL,
        message           TEXT NOT NULL,
        conflict_resolved INTEGER NOT NULL DEFAULT 0,
        at                INTEGER NOT NULL
      ) STRICT;
      -- A sha is told short or whole; its first seven digits are always there.
      CREATE INDEX commit_link_by_start ON commit_link(substr(sha, 1, 7));
      CREATE INDEX commit_link_by_session ON commit_link(session, at);

      -- What happened to the work. It waits until everything noticed before it has become a learning or not.
      CREATE TABLE effect (
        id      INTEGER PRIMARY KEY,
        key     TEXT NOT NULL UNIQUE,
        kind    TEXT NOT NULL,
        session TEXT NOT NULL,
        at      INTEGER NOT NULL,
        detail  TEXT NOT NULL,
        waiting INTEGER NOT NULL DEFAULT 1
      ) STRICT;
      CREATE INDEX effect_waiting ON effect(id) WHERE waiting = 1;
      CREATE INDEX effect_by_kind ON effect(kind, at);

      -- Lessons held back until several sessions of a project have met them.
      CREATE TABLE recurrence (
        project   TEXT NOT NULL,
        signature TEXT NOT NULL,
        session   TEXT NOT NULL,
        key       TEXT NOT NULL,
        at        INTEGER NOT NULL,
        released  INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (project, signature, session)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX recurrence_by_key ON recurrence(key);

      -- The file's time of change when its silence was last looked at (SG3).
      ALTER TABLE transcript ADD COLUMN swept_mtime INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX learning_by_session ON learning(note ->> '$.provenance.session');
    `),
};
