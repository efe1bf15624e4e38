import type { Migration } from './migration.ts';

/** A candidate is a note that waits. It lies in shards of its own, so that a search for learnings never reads it. */
export const candidates: Migration = {
  version: 15,
  up: (db) => {
    db.pragma('defer_foreign_keys = ON'); // learnings refer to shards while the table is replaced
    db.exec(`
      CREATE TABLE old_shard AS SELECT id, project, branch FROM shard;
      DROP TABLE shard;
      CREATE TABLE shard (
        id        INTEGER PRIMARY KEY,
        project   TEXT NOT NULL,
        branch    TEXT NOT NULL,
        candidate INTEGER NOT NULL DEFAULT 0 CHECK (candidate IN (0, 1)),
        UNIQUE (project, branch, candidate)
      ) STRICT;
      INSERT INTO shard (id, project, branch) SELECT id, project, branch FROM old_shard;
      DROP TABLE old_shard;
      CREATE INDEX learning_candidates ON learning(confidence DESC, seq) WHERE status = 'candidate';
    `);
  },
};
