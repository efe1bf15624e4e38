import type { Migration } from './migration.ts';

/** Outcomes: traces and reviews, the history log, and loops with their iterations. */
export const outcomes: Migration = {
  version: 7,
  up: (db) =>
    db.exec(`
      -- One run of an agent, the notes it was given, and, once somebody judged it, how it ended.
      CREATE TABLE trace (
        id             TEXT PRIMARY KEY,
        at             INTEGER NOT NULL,
        task           TEXT NOT NULL,
        trajectory     TEXT NOT NULL,
        final_response TEXT NOT NULL,
        retrieved      TEXT NOT NULL,
        metadata       TEXT NOT NULL,
        project        TEXT NOT NULL,
        branch         TEXT,
        session        TEXT NOT NULL,
        result         TEXT CHECK (result IN ('pass', 'fail')),
        feedback       TEXT NOT NULL DEFAULT '',
        alpha          REAL,
        reviewed_at    INTEGER,
        memory_id      TEXT,
        problem        TEXT NOT NULL DEFAULT ''
      ) STRICT;
      CREATE INDEX trace_by_time ON trace(at DESC);
      CREATE INDEX trace_without_memory ON trace(reviewed_at) WHERE result IS NOT NULL AND memory_id IS NULL AND problem = '';

      -- One learning judged by one outcome: its utility before and after is the history of its utility.
      CREATE TABLE review (
        id          INTEGER PRIMARY KEY,
        at          INTEGER NOT NULL,
        learning_id TEXT NOT NULL,
        source      TEXT NOT NULL,
        result      TEXT NOT NULL CHECK (result IN ('pass', 'fail')),
        alpha       REAL NOT NULL,
        q_before    REAL NOT NULL,
        q_after     REAL NOT NULL,
        trace_id    TEXT REFERENCES trace(id),
        session     TEXT NOT NULL,
        reason      TEXT NOT NULL
      ) STRICT;
      CREATE INDEX review_by_learning ON review(learning_id, id DESC);
      CREATE INDEX review_by_trace ON review(trace_id) WHERE trace_id IS NOT NULL;
      -- A session judges a learning by the same kind of outcome once, however often it is read.
      CREATE UNIQUE INDEX review_by_itself ON review(session, learning_id, source) WHERE trace_id IS NULL AND session <> '';

      -- What happened. Only ever added to.
      CREATE TABLE history_entry (
        id      INTEGER PRIMARY KEY,
        at      INTEGER NOT NULL,
        kind    TEXT NOT NULL,
        project TEXT NOT NULL,
        session TEXT NOT NULL,
        text    TEXT NOT NULL
      ) STRICT;
      CREATE INDEX history_entry_by_time ON history_entry(at DESC);

      CREATE TABLE loop (
        id                TEXT PRIMARY KEY,
        task              TEXT NOT NULL,
        verification_type TEXT NOT NULL,
        omega             INTEGER,
        window_policy     TEXT NOT NULL,
        max_iterations    INTEGER NOT NULL,
        project           TEXT NOT NULL,
        status            TEXT NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'completed', 'aborted')),
        started_at        INTEGER NOT NULL,
        finished_at       INTEGER,
        -- The iterations whose reflections the next attempt was told; empty until it asks.
        told              TEXT NOT NULL DEFAULT '[]',
        learning_id       TEXT
      ) STRICT;
      CREATE TABLE loop_iteration (
        loop_id          TEXT NOT NULL REFERENCES loop(id),
        iteration        INTEGER NOT NULL,
        at               INTEGER NOT NULL,
        record           TEXT NOT NULL CHECK (json_valid(record)),
        flags            TEXT NOT NULL,
        failure_category TEXT GENERATED ALWAYS AS (record ->> '$.self_reflection.credit_assignment.failure_category') STORED,
        confidence       REAL GENERATED ALWAYS AS (record ->> '$.self_reflection.confidence') STORED,
        PRIMARY KEY (loop_id, iteration)
      ) STRICT;
      CREATE INDEX loop_iteration_by_failure ON loop_iteration(failure_category, at DESC);

      -- Who recalled something of late: their outcomes judge it.
      CREATE INDEX recall_log_by_time ON recall_log(at);
      CREATE INDEX learning_by_type ON learning(type, live);
    `),
};
