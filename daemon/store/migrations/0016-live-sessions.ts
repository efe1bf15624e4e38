import type { Migration } from './migration.ts';

/** Sessions that hooks reported while they ran, and the moments their agents were asked to record. */
export const liveSessions: Migration = {
  version: 16,
  up: (db) =>
    db.exec(`
      CREATE TABLE live_session (
        session    TEXT    NOT NULL PRIMARY KEY,
        agent      TEXT    NOT NULL,
        project    TEXT    NOT NULL,
        -- 1 where the agent has the tool or the command to record a learning.
        can_learn  INTEGER NOT NULL CHECK (can_learn IN (0, 1)),
        first_at   INTEGER NOT NULL,
        at         INTEGER NOT NULL,
        -- When its agent last recorded a learning; 0 if it never did.
        learned_at INTEGER NOT NULL DEFAULT 0
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX live_session_by_project ON live_session(project, at);
      CREATE INDEX live_session_by_time ON live_session(at);

      CREATE TABLE nudge (
        moment  INTEGER NOT NULL PRIMARY KEY REFERENCES capture_window(id) ON DELETE CASCADE,
        session TEXT    NOT NULL,
        at      INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX nudge_by_session ON nudge(session, at);
    `),
};
