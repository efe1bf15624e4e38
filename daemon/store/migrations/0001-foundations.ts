import type { Migration } from './migration.ts';

/** All primary data. Derived data (full text, vectors) is built by search/words.ts and search/vectors.ts. */
export const foundations: Migration = {
  version: 1,
  up: (db) =>
    db.exec(`
      CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
      CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;

      CREATE TABLE project (
        id        TEXT PRIMARY KEY,
        name      TEXT NOT NULL,
        root      TEXT NOT NULL,
        last_seen INTEGER NOT NULL
      ) STRICT;

      -- A shard is what recall may see or not see as a whole: a project's trunk, one of its branches, or everywhere ('', '').
      CREATE TABLE shard (
        id      INTEGER PRIMARY KEY,
        project TEXT NOT NULL,
        branch  TEXT NOT NULL,
        UNIQUE (project, branch)
      ) STRICT;

      -- The note is kept whole as JSON; what lists filter and sort by is drawn from it once, at write, ahead of the large column.
      CREATE TABLE learning (
        seq              INTEGER PRIMARY KEY,
        id               TEXT NOT NULL UNIQUE,
        shard            INTEGER NOT NULL REFERENCES shard(id),
        created_at       INTEGER NOT NULL,
        updated_at       INTEGER NOT NULL,
        document_path    TEXT NOT NULL,
        document_hash    TEXT NOT NULL,
        document_stat    TEXT,
        document_problem TEXT,
        title            TEXT    GENERATED ALWAYS AS (note ->> '$.title') STORED,
        category         TEXT    GENERATED ALWAYS AS (note ->> '$.category') STORED,
        type             TEXT    GENERATED ALWAYS AS (note ->> '$.type') STORED,
        confidence       REAL    GENERATED ALWAYS AS (note ->> '$.confidence') STORED,
        project          TEXT    GENERATED ALWAYS AS (note ->> '$.project') STORED,
        branch           TEXT    GENERATED ALWAYS AS (note ->> '$.branch') STORED,
        status           TEXT    GENERATED ALWAYS AS (note ->> '$.status') STORED,
        speculative      INTEGER GENERATED ALWAYS AS (note ->> '$.speculative') STORED,
        agent            TEXT    GENERATED ALWAYS AS (note ->> '$.provenance.agent') STORED,
        live             INTEGER GENERATED ALWAYS AS (note ->> '$.status' = 'active' AND note ->> '$.isLatest') STORED,
        note             TEXT NOT NULL CHECK (json_valid(note))
      ) STRICT;
      CREATE INDEX learning_by_time ON learning(status, updated_at DESC);
      CREATE INDEX learning_by_shard ON learning(shard, live);
      -- Rows are wide: counting or walking the live ones must not read them all.
      CREATE INDEX learning_live ON learning(seq) WHERE live = 1;
      CREATE INDEX learning_problem ON learning(seq) WHERE document_problem IS NOT NULL;
      CREATE INDEX learning_by_document ON learning(document_path);

      CREATE TABLE learning_tag (
        tag TEXT NOT NULL,
        seq INTEGER NOT NULL REFERENCES learning(seq) ON DELETE CASCADE,
        PRIMARY KEY (tag, seq)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX learning_tag_by_learning ON learning_tag(seq);

      CREATE TABLE learning_signal (
        seq              INTEGER PRIMARY KEY REFERENCES learning(seq) ON DELETE CASCADE,
        q_value          REAL    NOT NULL DEFAULT 0.5,
        quality          INTEGER NOT NULL DEFAULT 3,
        uses             INTEGER NOT NULL DEFAULT 0,
        successes        INTEGER NOT NULL DEFAULT 0,
        proof_count      INTEGER NOT NULL DEFAULT 1,
        recall_count     INTEGER NOT NULL DEFAULT 0,
        helpful_count    INTEGER NOT NULL DEFAULT 0,
        ignored_count    INTEGER NOT NULL DEFAULT 0,
        stale_count      INTEGER NOT NULL DEFAULT 0,
        last_recalled_at INTEGER,
        importance       REAL    NOT NULL DEFAULT 50,
        maturity         TEXT    NOT NULL DEFAULT 'draft' CHECK (maturity IN ('draft', 'validated', 'core'))
      ) STRICT;

      CREATE TABLE entity (
        id          INTEGER PRIMARY KEY,
        name        TEXT NOT NULL UNIQUE COLLATE NOCASE,
        type        TEXT NOT NULL,
        description TEXT NOT NULL
      ) STRICT;
      CREATE TABLE learning_entity (
        entity INTEGER NOT NULL REFERENCES entity(id),
        seq    INTEGER NOT NULL REFERENCES learning(seq) ON DELETE CASCADE,
        PRIMARY KEY (entity, seq)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX learning_entity_by_learning ON learning_entity(seq);
      CREATE TABLE relation (
        id           INTEGER PRIMARY KEY,
        seq          INTEGER NOT NULL REFERENCES learning(seq) ON DELETE CASCADE,
        source       INTEGER NOT NULL REFERENCES entity(id),
        target       INTEGER NOT NULL REFERENCES entity(id),
        type         TEXT NOT NULL,
        description  TEXT NOT NULL,
        strength     INTEGER NOT NULL,
        committed_at INTEGER NOT NULL,
        valid_from   INTEGER NOT NULL,
        valid_to     INTEGER
      ) STRICT;
      CREATE INDEX relation_by_source ON relation(source);
      CREATE INDEX relation_by_target ON relation(target);
      CREATE INDEX relation_by_learning ON relation(seq);

      CREATE TABLE change (
        id          INTEGER PRIMARY KEY,
        at          INTEGER NOT NULL,
        actor       TEXT NOT NULL,
        kind        TEXT NOT NULL,
        learning_id TEXT NOT NULL,
        reason      TEXT NOT NULL,
        fields      TEXT NOT NULL,
        before      TEXT,
        after       TEXT,
        undone_by   INTEGER REFERENCES change(id)
      ) STRICT;
      CREATE INDEX change_by_learning ON change(learning_id, id DESC);

      -- Files still to be written for rows already stored: emptied by the writer, or at the next start after a crash.
      -- What lies at the old paths goes; only what we wrote ourselves (replaces: its hashes) may be overwritten.
      CREATE TABLE document_outbox (
        seq       INTEGER PRIMARY KEY REFERENCES learning(seq) ON DELETE CASCADE,
        path      TEXT NOT NULL,
        markdown  TEXT NOT NULL,
        sidecar   TEXT NOT NULL,
        old_paths TEXT NOT NULL,
        replaces  TEXT NOT NULL
      ) STRICT;

      -- Files no learning stands for: added by hand and not readable, or kept aside. A person must see them.
      CREATE TABLE stray_document (path TEXT PRIMARY KEY, problem TEXT NOT NULL) STRICT;

      CREATE TABLE transcript (
        id            INTEGER PRIMARY KEY,
        agent         TEXT NOT NULL,
        path          TEXT NOT NULL UNIQUE,
        fingerprint   TEXT NOT NULL,
        position      INTEGER NOT NULL,
        size          INTEGER NOT NULL,
        records       INTEGER NOT NULL DEFAULT 0,
        bad_lines     INTEGER NOT NULL DEFAULT 0,
        unknown       TEXT NOT NULL DEFAULT '{}',
        last_event_at INTEGER
      ) STRICT;

      -- What was noticed: the drain's queue, and afterwards the lineage from learning to transcript.
      CREATE TABLE capture_window (
        id          INTEGER PRIMARY KEY,
        key         TEXT NOT NULL UNIQUE,
        chunk_hash  TEXT NOT NULL,
        signal      TEXT NOT NULL,
        agent       TEXT NOT NULL,
        session     TEXT NOT NULL,
        transcript  TEXT NOT NULL,
        project     TEXT NOT NULL,
        branch      TEXT,
        at          INTEGER NOT NULL,
        payload     TEXT NOT NULL,
        state       TEXT NOT NULL DEFAULT 'queued',
        attempts    INTEGER NOT NULL DEFAULT 0,
        lease_until INTEGER NOT NULL DEFAULT 0,
        error       TEXT NOT NULL DEFAULT '',
        learning_id TEXT
      ) STRICT;
      CREATE INDEX window_queue ON capture_window(state, lease_until);
      CREATE INDEX window_by_chunk ON capture_window(chunk_hash);
      CREATE INDEX window_by_session ON capture_window(session, at);

      CREATE TABLE merge_question (
        id          INTEGER PRIMARY KEY,
        at          INTEGER NOT NULL,
        similarity  REAL NOT NULL,
        existing_id TEXT NOT NULL REFERENCES learning(id),
        incoming_id TEXT NOT NULL REFERENCES learning(id),
        state       TEXT NOT NULL DEFAULT 'open'
      ) STRICT;

      CREATE TABLE slot (
        project     TEXT NOT NULL,
        name        TEXT NOT NULL,
        content     TEXT NOT NULL,
        description TEXT NOT NULL,
        size_limit  INTEGER NOT NULL,
        read_only   INTEGER NOT NULL DEFAULT 0,
        updated_at  INTEGER NOT NULL,
        PRIMARY KEY (project, name)
      ) STRICT;

      CREATE TABLE gap (
        id         INTEGER PRIMARY KEY,
        at         INTEGER NOT NULL,
        query      TEXT NOT NULL,
        normalized TEXT NOT NULL,
        project    TEXT NOT NULL,
        session    TEXT NOT NULL
      ) STRICT;
      CREATE INDEX gap_by_question ON gap(normalized, project);

      CREATE TABLE recall_log (
        id      INTEGER PRIMARY KEY,
        at      INTEGER NOT NULL,
        query   TEXT NOT NULL,
        project TEXT NOT NULL,
        session TEXT NOT NULL,
        ms      REAL NOT NULL,
        ids     TEXT NOT NULL
      ) STRICT;
      CREATE INDEX recall_log_by_session ON recall_log(session, at);
    `),
};
