import type { Migration } from './migration.ts';

/** Learnings injected into each session: they are not injected again, and the session's outcome judges them. */
export const sessionUses: Migration = {
  version: 10,
  up: (db) =>
    db.exec(`
      CREATE TABLE session_use (
        session     TEXT    NOT NULL,
        learning_id TEXT    NOT NULL,
        via         TEXT    NOT NULL CHECK (via IN ('start', 'prompt', 'tool', 'recall')),
        first_at    INTEGER NOT NULL,
        at          INTEGER NOT NULL,
        agent       TEXT    NOT NULL,
        project     TEXT    NOT NULL,
        -- 0 once the session's context was compacted: it may have forgotten.
        in_context  INTEGER NOT NULL DEFAULT 1,
        PRIMARY KEY (session, learning_id, via)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX session_use_by_learning ON session_use(learning_id, at);
      CREATE INDEX session_use_by_project ON session_use(project, at);
      CREATE INDEX session_use_by_time ON session_use(at);

      INSERT OR IGNORE INTO session_use (session, learning_id, via, first_at, at, agent, project)
        SELECT session, value, 'recall', min(at), max(at), '', project FROM recall_log, json_each(ids) WHERE session <> '' GROUP BY session, value;
    `),
};
