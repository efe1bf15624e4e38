import type { ClientBase } from 'pg';
import { DaemonError } from '#contract/errors.ts';

/** Larger notes are refused by the server, and by us where a server lets them in. */
export const LARGEST_NOTE = 256 * 1024; // bytes
export const LARGEST_VECTORS = 64 * 1024; // bytes
/** The first key of the advisory locks by which a space is written in turn. */
const LOCK = 1_919_248_492;

/**
 * Version 1. A log of revisions for each space, the newest revision of each note, and who may do what.
 *
 * Who somebody is, is their login: `session_user` cannot be set by SQL, not even inside a function that runs with its
 * owner's rights. Every rule below is the server's; a member who writes SQL by hand meets the same ones as our client.
 */
const LOG = `
  CREATE TABLE reflect.space (
    id         int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE reflect.member (
    space int  NOT NULL REFERENCES reflect.space ON DELETE CASCADE,
    login name NOT NULL,
    role  text NOT NULL CHECK (role IN ('reader', 'writer', 'curator')),
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (space, login)
  );
  CREATE TABLE reflect.revision (
    space      int    NOT NULL REFERENCES reflect.space ON DELETE CASCADE,
    seq        bigint NOT NULL,
    rev        uuid   NOT NULL,
    note_id    uuid   NOT NULL,
    parent     uuid,
    kind       text   NOT NULL CHECK (kind IN ('create', 'update', 'archive', 'delete')),
    author     name   NOT NULL DEFAULT session_user,
    at         timestamptz NOT NULL DEFAULT now(),
    project    text   NOT NULL CHECK (length(project) <= 500),
    everywhere boolean NOT NULL DEFAULT false,
    note       jsonb,
    hash       text   NOT NULL CHECK (length(hash) <= 64),
    vectors    jsonb,
    conflict   boolean NOT NULL DEFAULT false,
    PRIMARY KEY (space, seq),
    UNIQUE (space, rev),
    CONSTRAINT has_a_project CHECK (everywhere OR project <> ''),
    CONSTRAINT note_size CHECK (octet_length(note::text) <= ${LARGEST_NOTE} AND octet_length(vectors::text) <= ${LARGEST_VECTORS})
  );
  CREATE INDEX revision_by_note ON reflect.revision (space, note_id);
  -- The project is that of the first revision, so that those who follow it also hear that a note moved away.
  CREATE TABLE reflect.head (
    space   int    NOT NULL REFERENCES reflect.space ON DELETE CASCADE,
    note_id uuid   NOT NULL,
    seq     bigint NOT NULL,
    rev     uuid   NOT NULL,
    owner   name   NOT NULL,
    project text   NOT NULL,
    gone    boolean NOT NULL,
    PRIMARY KEY (space, note_id)
  );
  CREATE UNIQUE INDEX head_by_seq ON reflect.head (space, seq);

  CREATE FUNCTION reflect.my_spaces() RETURNS SETOF int LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog
    AS $$ SELECT space FROM reflect.member WHERE login = session_user $$;

  -- Volatile, so that it sees what was committed while this insert waited for its turn.
  CREATE FUNCTION reflect.may_publish(in_space int, note uuid, is_everywhere boolean)
    RETURNS boolean LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog
    AS $$
      SELECT CASE role
        WHEN 'curator' THEN true
        WHEN 'writer' THEN NOT is_everywhere AND NOT EXISTS (
          SELECT 1 FROM reflect.head WHERE space = in_space AND note_id = note AND owner <> session_user)
        ELSE false END
      FROM reflect.member WHERE space = in_space AND login = session_user
    $$;

  -- One writer of a space at a time: commits come in the order of seq, so no reader's position can skip a row.
  CREATE FUNCTION reflect.take_turn() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
    AS $$
      DECLARE known reflect.head;
      BEGIN
        PERFORM pg_advisory_xact_lock(${LOCK}, NEW.space);
        NEW.seq := (SELECT coalesce(max(seq), 0) + 1 FROM reflect.revision WHERE space = NEW.space);
        NEW.at := clock_timestamp();
        SELECT * INTO known FROM reflect.head WHERE space = NEW.space AND note_id = NEW.note_id;
        IF known.gone AND known.rev <> NEW.rev THEN
          RAISE EXCEPTION 'the note was taken back' USING ERRCODE = 'RF001';
        END IF;
        NEW.conflict := NEW.kind <> 'delete' AND known.rev IS DISTINCT FROM NEW.parent;
        IF NEW.kind = 'delete' THEN NEW.note := NULL; NEW.vectors := NULL; END IF;
        RETURN NEW;
      END
    $$;
  CREATE TRIGGER take_turn BEFORE INSERT ON reflect.revision FOR EACH ROW EXECUTE FUNCTION reflect.take_turn();

  -- The second of two edits of one revision stays in the log only; its author decides how to merge it.
  CREATE FUNCTION reflect.keep_head() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
    AS $$
      BEGIN
        IF NEW.conflict THEN RETURN NULL; END IF;
        INSERT INTO reflect.head (space, note_id, seq, rev, owner, project, gone)
          VALUES (NEW.space, NEW.note_id, NEW.seq, NEW.rev, NEW.author, NEW.project, NEW.kind = 'delete')
          ON CONFLICT (space, note_id) DO UPDATE SET seq = NEW.seq, rev = NEW.rev, gone = NEW.kind = 'delete';
        -- Who takes a note back may have published a secret: its words leave the log, too.
        IF NEW.kind = 'delete' THEN
          UPDATE reflect.revision SET note = NULL, vectors = NULL
            WHERE space = NEW.space AND note_id = NEW.note_id AND note IS NOT NULL;
        END IF;
        PERFORM pg_notify('reflect_' || NEW.space, NEW.seq::text);
        RETURN NULL;
      END
    $$;
  CREATE TRIGGER keep_head AFTER INSERT ON reflect.revision FOR EACH ROW EXECUTE FUNCTION reflect.keep_head();

  ALTER TABLE reflect.space ENABLE ROW LEVEL SECURITY;
  ALTER TABLE reflect.member ENABLE ROW LEVEL SECURITY;
  ALTER TABLE reflect.revision ENABLE ROW LEVEL SECURITY;
  ALTER TABLE reflect.head ENABLE ROW LEVEL SECURITY;
  -- An array, so that the memberships are looked up once for a query and not once for a row.
  CREATE POLICY read ON reflect.space FOR SELECT USING (id = ANY (ARRAY(SELECT reflect.my_spaces())));
  CREATE POLICY read ON reflect.member FOR SELECT USING (space = ANY (ARRAY(SELECT reflect.my_spaces())));
  CREATE POLICY read ON reflect.revision FOR SELECT USING (space = ANY (ARRAY(SELECT reflect.my_spaces())));
  CREATE POLICY read ON reflect.head FOR SELECT USING (space = ANY (ARRAY(SELECT reflect.my_spaces())));
  CREATE POLICY publish ON reflect.revision FOR INSERT
    WITH CHECK (author = session_user AND reflect.may_publish(space, note_id, everywhere));
`;

/** Version 2. Vectors are most of a revision's size, and only those of a note's newest revision are ever read. */
const NEWEST_VECTORS = `
  CREATE OR REPLACE FUNCTION reflect.keep_head() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog
    AS $$
      BEGIN
        IF NEW.conflict THEN RETURN NULL; END IF;
        INSERT INTO reflect.head (space, note_id, seq, rev, owner, project, gone)
          VALUES (NEW.space, NEW.note_id, NEW.seq, NEW.rev, NEW.author, NEW.project, NEW.kind = 'delete')
          ON CONFLICT (space, note_id) DO UPDATE SET seq = NEW.seq, rev = NEW.rev, gone = NEW.kind = 'delete';
        -- Who takes a note back may have published a secret: its words leave the log, too.
        UPDATE reflect.revision SET vectors = NULL, note = CASE WHEN NEW.kind = 'delete' THEN NULL ELSE note END
          WHERE space = NEW.space AND note_id = NEW.note_id AND seq < NEW.seq
            AND (vectors IS NOT NULL OR NEW.kind = 'delete' AND note IS NOT NULL);
        PERFORM pg_notify('reflect_' || NEW.space, NEW.seq::text);
        RETURN NULL;
      END
    $$;
  UPDATE reflect.revision SET vectors = NULL
    WHERE vectors IS NOT NULL AND NOT EXISTS (SELECT 1 FROM reflect.head WHERE head.space = revision.space AND head.seq = revision.seq);
`;

/** Append only, as in the local store: a shipped migration is never edited. */
export const SERVER_MIGRATIONS: readonly string[] = [LOG, NEWEST_VECTORS];

/** Creates the shared schema or brings it up to date, all of it or nothing. Two at once take turns. */
export async function migrateServer(client: ClientBase, migrations = SERVER_MIGRATIONS): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1, 0)', [LOCK]);
    await client.query(`
      CREATE SCHEMA IF NOT EXISTS reflect;
      CREATE TABLE IF NOT EXISTS reflect.migration (version int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
    `);
    const from = await serverVersion(client);
    for (const [index, sql] of migrations.entries()) {
      if (index < from) continue;
      await client.query(sql);
      await client.query('INSERT INTO reflect.migration (version) VALUES ($1)', [index + 1]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** The version of the shared schema; 0 where there is none. A newer one than ours is refused. */
export async function serverVersion(client: ClientBase): Promise<number> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('reflect.migration') IS NOT NULL AS found`,
  );
  if (!tables[0]?.found) return 0;
  const { rows } = await client.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM reflect.migration',
  );
  const version = rows[0]?.version ?? 0;
  if (version > SERVER_MIGRATIONS.length)
    throw new DaemonError(
      'conflict',
      `The team’s database belongs to a newer Reflect (schema ${version}; this one knows ${SERVER_MIGRATIONS.length}). Update Reflect to continue; nothing was changed.`,
    );
  return version;
}
