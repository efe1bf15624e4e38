import type { Migration } from './migration.ts';

/** The spaces this machine shares with colleagues: where it stands in each log, and which note is which. */
export const team: Migration = {
  version: 19,
  up: (db) =>
    db.exec(`
      CREATE TABLE team_space (
        name       TEXT PRIMARY KEY,
        url        TEXT NOT NULL,
        everything INTEGER NOT NULL,
        cursor     INTEGER NOT NULL DEFAULT 0,
        cursor_rev TEXT NOT NULL DEFAULT '',
        joined_at  INTEGER NOT NULL
      ) STRICT;

      -- A project whose earlier notes were fetched has followed = 1.
      CREATE TABLE team_project (
        space    TEXT NOT NULL REFERENCES team_space(name) ON DELETE CASCADE,
        project  TEXT NOT NULL,
        policy   TEXT NOT NULL DEFAULT 'ask' CHECK (policy IN ('ask', 'auto', 'never')),
        followed INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (space, project)
      ) STRICT, WITHOUT ROWID;

      -- own: published from here; copy: a colleague's note; proof: a note here says the same; gone: taken back.
      CREATE TABLE team_note (
        space    TEXT NOT NULL REFERENCES team_space(name) ON DELETE CASCADE,
        note_id  TEXT NOT NULL,
        local_id TEXT NOT NULL,
        rev      TEXT NOT NULL,
        author   TEXT NOT NULL,
        at       INTEGER NOT NULL,
        role     TEXT NOT NULL CHECK (role IN ('own', 'copy', 'proof', 'gone')),
        hash     TEXT NOT NULL,
        PRIMARY KEY (space, note_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX team_note_by_learning ON team_note(local_id);

      -- Published and not yet on the server. The revision is kept as it was published, so that a second attempt sends the same.
      CREATE TABLE team_outbox (
        id         INTEGER PRIMARY KEY,
        space      TEXT NOT NULL REFERENCES team_space(name) ON DELETE CASCADE,
        rev        TEXT NOT NULL UNIQUE,
        note_id    TEXT NOT NULL,
        local_id   TEXT NOT NULL,
        parent     TEXT,
        kind       TEXT NOT NULL,
        project    TEXT NOT NULL,
        everywhere INTEGER NOT NULL,
        note       TEXT,
        hash       TEXT NOT NULL
      ) STRICT;

      CREATE TABLE team_refused (
        space   TEXT NOT NULL REFERENCES team_space(name) ON DELETE CASCADE,
        note_id TEXT NOT NULL,
        title   TEXT NOT NULL,
        why     TEXT NOT NULL,
        at      INTEGER NOT NULL,
        PRIMARY KEY (space, note_id)
      ) STRICT, WITHOUT ROWID;

      -- Notes a person does not want to publish.
      CREATE TABLE team_declined (
        space    TEXT NOT NULL REFERENCES team_space(name) ON DELETE CASCADE,
        local_id TEXT NOT NULL,
        PRIMARY KEY (space, local_id)
      ) STRICT, WITHOUT ROWID;
    `),
};
