import type { Migration } from './migration.ts';

/** Distilled knowledge: observations with their history, convention documents, consolidation passes, and skills. */
export const distill: Migration = {
  version: 9,
  up: (db) =>
    db.exec(`
      -- How somebody likes things done, told by many corrections. Its sources are the occasions it was said on, its learnings the notes of it.
      CREATE TABLE observation (
        id             TEXT PRIMARY KEY,
        project        TEXT NOT NULL,
        content        TEXT NOT NULL,
        category       TEXT NOT NULL,
        -- What it says of the project in a word, if it does: testing_style is TDD.
        field          TEXT NOT NULL DEFAULT '',
        value          TEXT NOT NULL DEFAULT '',
        status         TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'retired')),
        retired_reason TEXT NOT NULL DEFAULT '',
        proof_count    INTEGER NOT NULL,
        sources        TEXT NOT NULL,
        learnings      TEXT NOT NULL,
        created_at     INTEGER NOT NULL,
        updated_at     INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX observation_by_project ON observation(project, status);

      CREATE TABLE observation_history (
        id             INTEGER PRIMARY KEY,
        at             INTEGER NOT NULL,
        actor          TEXT NOT NULL,
        action         TEXT NOT NULL CHECK (action IN ('CREATE', 'UPDATE', 'DELETE', 'RESTORE')),
        observation_id TEXT NOT NULL REFERENCES observation(id),
        reason         TEXT NOT NULL,
        -- What stood there before; nothing did before it was made.
        before         TEXT
      ) STRICT;
      CREATE INDEX observation_history_by_observation ON observation_history(observation_id, id DESC);

      -- The conventions of a project as they were last written to a file; stale once what they are drawn from has changed.
      CREATE TABLE conventions_doc (
        project      TEXT PRIMARY KEY,
        observations INTEGER NOT NULL DEFAULT 0,
        refreshed_at INTEGER NOT NULL DEFAULT 0,
        stale        INTEGER NOT NULL DEFAULT 1
      ) STRICT;

      CREATE TABLE consolidation (
        id        INTEGER PRIMARY KEY,
        at        INTEGER NOT NULL,
        -- The newest learning that the pass has seen.
        through   INTEGER NOT NULL,
        why       TEXT NOT NULL,
        learnings INTEGER NOT NULL,
        clusters  INTEGER NOT NULL,
        proposed  INTEGER NOT NULL,
        extended  INTEGER NOT NULL
      ) STRICT;

      -- Skills to be brought up to date, each once: what they cover was changed or taken back.
      CREATE TABLE skill_refresh (
        path        TEXT PRIMARY KEY REFERENCES skill(path) ON DELETE CASCADE,
        at          INTEGER NOT NULL,
        learning_id TEXT NOT NULL,
        reason      TEXT NOT NULL
      ) STRICT;

      -- The skills Reflect itself wrote; a file that is other than that is a person's.
      CREATE TABLE promoted_skill (
        path        TEXT PRIMARY KEY,
        learning_id TEXT NOT NULL,
        agent       TEXT NOT NULL,
        hash        TEXT NOT NULL,
        at          INTEGER NOT NULL
      ) STRICT;
    `),
};
