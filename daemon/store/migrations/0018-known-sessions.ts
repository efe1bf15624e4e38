import type { Migration } from './migration.ts';

/** Sessions by the words they began with, and the words by which an injected learning was found. */
export const knownSessions: Migration = {
  version: 18,
  up: (db) =>
    db.exec(`
      CREATE TABLE known_session (
        session   TEXT    NOT NULL PRIMARY KEY,
        agent     TEXT    NOT NULL,
        project   TEXT    NOT NULL,
        -- The earliest request that was read, redacted and in one line; '' if none was.
        title     TEXT    NOT NULL,
        -- 0 for a session that was deleted for good.
        titled_at INTEGER NOT NULL,
        seen_at   INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX known_session_by_time ON known_session(seen_at);

      -- A JSON array; NULL where nothing was asked, or before this was recorded.
      ALTER TABLE session_use ADD COLUMN matched TEXT;
    `),
};
