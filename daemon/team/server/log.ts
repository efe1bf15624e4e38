import type { ClientBase } from 'pg';
import type { TeamLogEntry } from '#contract/team.ts';
import { isReadOnly } from './connection.ts';
import { LARGEST_NOTE, LARGEST_VECTORS } from './schema.ts';

/** A note's vector as it travels: whole numbers from -127 to 127, of a unit vector. */
export interface TravellingVector {
  model: string;
  /** The hash of the model's weights. */
  weights: string;
  /** Base64. */
  int8: string;
  /** Of a model that has them, base64. */
  tokens?: string;
}

type RevisionKind = 'create' | 'update' | 'archive' | 'delete';

/** A revision on its way to the log. */
interface NewRevision {
  rev: string;
  noteId: string;
  parent: string | null;
  kind: RevisionKind;
  project: string;
  everywhere: boolean;
  /** JSON; null for one that takes the note away. */
  note: string | null;
  hash: string;
  vectors: TravellingVector[];
}

/** The newest revision of a note, as the server has it. Everything in it was written by somebody else. */
export interface Head {
  seq: number;
  rev: string;
  noteId: string;
  kind: RevisionKind;
  author: string;
  at: number;
  project: string;
  everywhere: boolean;
  note: unknown;
  vectors: unknown;
}

/** Appends a revision; one that is there already, from an attempt whose answer got lost, is not appended twice. */
export async function appendRevision(
  client: ClientBase,
  space: number,
  { rev, noteId, parent, kind, project, everywhere, note, hash, vectors }: NewRevision,
): Promise<{ seq: number; conflict: boolean; at: number }> {
  const columns = `seq::float8, conflict, (extract(epoch FROM at) * 1000)::float8 AS at`;
  type Row = { seq: number; conflict: boolean; at: number };
  const inserted = await client.query<Row>(
    `INSERT INTO reflect.revision (space, rev, note_id, parent, kind, project, everywhere, note, hash, vectors)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (space, rev) DO NOTHING RETURNING ${columns}`,
    [
      space,
      rev,
      noteId,
      parent,
      kind,
      project,
      everywhere,
      note,
      hash,
      vectors.length > 0 ? JSON.stringify(vectors) : null,
    ],
  );
  const [row] =
    inserted.rows.length > 0
      ? inserted.rows
      : (
          await client.query<Row>(`SELECT ${columns} FROM reflect.revision WHERE space = $1 AND rev = $2`, [
            space,
            rev,
          ])
        ).rows;
  if (!row) throw new Error('the server took a revision and does not show it');
  return { ...row, at: Math.round(row.at) };
}

/**
 * Where the log ends, and what it holds at the position read so far: another revision there means it is another log.
 */
export async function readTail(
  client: ClientBase,
  space: number,
  position: number,
): Promise<{ last: number; lastRev: string; revAtPosition: string | null }> {
  const { rows } = await client.query<{ seq: number; rev: string }>(
    // Ordered by the column, not by the number it is read as, for which there is no index.
    `(SELECT seq::float8, rev FROM reflect.revision WHERE space = $1 ORDER BY revision.seq DESC LIMIT 1)
     UNION ALL (SELECT seq::float8, rev FROM reflect.revision WHERE space = $1 AND seq = $2)`,
    [space, position],
  );
  return {
    last: rows[0]?.seq ?? 0,
    lastRev: rows[0]?.rev ?? '',
    revAtPosition: rows.find(({ seq }) => seq === position)?.rev ?? null,
  };
}

interface Range {
  after: number;
  upTo: number;
  /** Null for all. */
  projects: readonly string[] | null;
  limit: number;
}

/**
 * Notes that changed after a position, in order of the log. Only the newest revision of each is read: after a week away
 * a note that was edited ten times comes once. One that changes meanwhile moves on to a later position, so none is
 * missed.
 */
export async function readHeads(
  client: ClientBase,
  space: number,
  { after, upTo, projects, limit }: Range,
): Promise<Head[]> {
  const { rows } = await client.query<Head>(
    `SELECT head.seq::float8, head.rev, head.note_id AS "noteId", kind, author::text, (extract(epoch FROM at) * 1000)::float8 AS at,
            revision.project, everywhere, CASE WHEN octet_length(note::text) <= $6 THEN note END AS note,
            CASE WHEN octet_length(vectors::text) <= $7 THEN vectors END AS vectors
     FROM reflect.head JOIN reflect.revision USING (space, seq)
     WHERE head.space = $1 AND head.seq > $2 AND head.seq <= $3
       AND ($4::text[] IS NULL OR head.project = ANY ($4) OR everywhere)
     ORDER BY head.seq LIMIT $5`,
    [space, after, upTo, projects, limit, LARGEST_NOTE, LARGEST_VECTORS],
  );
  return rows.map((row) => ({ ...row, at: Math.round(row.at) }));
}

/** Notes of each project that are not archived or retracted. */
export async function countByProject(
  client: ClientBase,
  space: number,
): Promise<Array<{ project: string; notes: number }>> {
  const { rows } = await client.query<{ project: string; notes: number }>(
    `SELECT head.project, count(*)::int AS notes FROM reflect.head WHERE space = $1 AND NOT gone GROUP BY 1 ORDER BY 2 DESC, 1`,
    [space],
  );
  return rows;
}

/** Of these revisions, those the log holds, with the newest revision of their note. */
export async function findRevisions(
  client: ClientBase,
  space: number,
  revs: readonly string[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ rev: string }>(
    'SELECT rev FROM reflect.revision WHERE space = $1 AND rev = ANY ($2::uuid[])',
    [space, revs],
  );
  return new Set(rows.map(({ rev }) => rev));
}

export async function headOf(client: ClientBase, space: number, noteId: string): Promise<string | null> {
  const { rows } = await client.query<{ rev: string }>(
    'SELECT rev FROM reflect.head WHERE space = $1 AND note_id = $2',
    [space, noteId],
  );
  return rows[0]?.rev ?? null;
}

/** Who published what, newest first. */
export async function readLog(client: ClientBase, space: number, limit: number): Promise<TeamLogEntry[]> {
  const { rows } = await client.query<TeamLogEntry>(
    `SELECT seq::float8, kind, author::text, (extract(epoch FROM at) * 1000)::float8 AS at, project, conflict,
            note_id AS "noteId", coalesce(left(note ->> 'title', 400), '') AS title
     FROM reflect.revision WHERE space = $1 ORDER BY revision.seq DESC LIMIT $2`,
    [space, limit],
  );
  return rows.map((row) => ({ ...row, at: Math.round(row.at) }));
}

/** Calls back whenever somebody publishes. A read replica announces nothing; it is polled. */
export async function listen(client: ClientBase, space: number, onPublished: () => void): Promise<void> {
  client.on('notification', onPublished);
  await client.query(`LISTEN reflect_${space}`).catch((error: unknown) => {
    if (!isReadOnly(error)) throw error;
  });
}
