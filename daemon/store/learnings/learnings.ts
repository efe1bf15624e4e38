import { isKeptFromAgents, type Learning, type Note, type Project } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { searchText } from '../search/note-text.ts';
import { readSignals, SIGNALS_JSON } from './signals.ts';
import { NOTE } from '../columns.ts';
import { readStrings } from '../persisted-json.ts';
import { isLive } from './searchable.ts';

interface Row {
  seq: number;
  id: string;
  note: string;
  created_at: number;
  updated_at: number;
  document_problem: string | null;
  signals: string;
}

const WHOLE = `SELECT learning.seq, id, note, created_at, updated_at, document_problem, ${SIGNALS_JSON} AS signals FROM learning LEFT JOIN learning_signal USING (seq)`;

function toLearning(row: Row): Learning {
  return {
    ...NOTE.read(row.note),
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    signals: readSignals(row.signals),
    documentProblem: row.document_problem,
  };
}

export function findLearning(db: ReadableDb, id: string): Learning | null {
  const row = db.row<Row>(`${WHOLE} WHERE id = ?`, id);
  return row ? toLearning(row) : null;
}

export function getLearning(db: ReadableDb, id: string): Learning {
  const learning = findLearning(db, id);
  if (!learning) throw new DaemonError('not-found', `learning ${id}`);
  return learning;
}

/** A note that agents may read by its id, retired ones included. */
export function findForAgents(db: ReadableDb, id: string): Learning | null {
  const learning = findLearning(db, id);
  return learning && !isKeptFromAgents(learning) ? learning : null;
}

export function findLive(db: ReadableDb, id: string): Learning | null {
  const learning = findLearning(db, id);
  return learning && isLive(learning) ? learning : null;
}

/** The learnings of these rows, by row, for a pipeline that ranks rows and shows notes. */
export function learningsBySeq(db: ReadableDb, seqs: number[]): Map<number, Learning> {
  const rows = db.rows<Row>(`${WHOLE} WHERE learning.seq IN (SELECT value FROM json_each(?))`, [seqs]);
  return new Map(rows.map((row) => [row.seq, toLearning(row)]));
}

/** The row number of a learning, by which its vectors are stored. */
export const seqOf = (db: ReadableDb, id: string): number | null =>
  db.value<number>('SELECT seq FROM learning WHERE id = ?', id) ?? null;

/** The note itself, without the fields the store adds. */
export function noteOf(learning: Learning): Note {
  const {
    id: _id,
    createdAt: _created,
    updatedAt: _updated,
    signals: _signals,
    documentProblem: _problem,
    ...note
  } = learning;
  return note;
}

export function countByStatus(db: ReadableDb): Record<string, number> {
  const rows = db.rows<{ status: string; count: number }>(
    'SELECT status, count(*) AS count FROM learning GROUP BY status',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Files with a problem, whether or not they belong to a learning. */
export function countDocumentProblems(db: ReadableDb): number {
  return db.count(
    'SELECT (SELECT count(*) FROM learning WHERE document_problem IS NOT NULL) + (SELECT count(*) FROM stray_document)',
  );
}

export function rememberProject(
  db: WritableDb,
  project: { id: string; name: string; root: string },
  now: number,
): void {
  db.run(
    `INSERT INTO project (id, name, root, last_seen) VALUES (:id, :name, :root, :now)
    ON CONFLICT (id) DO UPDATE SET root = excluded.root, last_seen = excluded.last_seen`,
    { ...project, now },
  );
}

/** Projects that were seen, and those that only a learning names, as after an import or a move. */
export function listProjects(db: ReadableDb): Project[] {
  const rows = db.rows<
    Omit<Project, 'branches' | 'name'> & { branches: string; name: string | null }
  >(`WITH counted AS (
    SELECT project AS id, count(*) AS learnings FROM learning INDEXED BY learning_lists WHERE status = 'active' AND live = 1 AND project <> '' GROUP BY project
  ), known AS (SELECT id, name, coalesce(root, '') AS root, coalesce(learnings, 0) AS learnings FROM project FULL JOIN counted USING (id))
  SELECT *, (SELECT json_group_array(DISTINCT branch) FROM shard WHERE shard.project = known.id AND branch <> '') AS branches
  FROM known
  ORDER BY learnings DESC, coalesce(name, id)`);
  return rows.map(({ name, ...row }) => ({
    ...row,
    name: name ?? lastPart(row.id),
    branches: readStrings(row.branches),
  }));
}

const lastPart = (id: string): string => id.split('/').at(-1) ?? id;

export const allLive = (db: ReadableDb): string[] =>
  db.values<string>('SELECT id FROM learning WHERE live = 1 ORDER BY seq');

/** Ids of a project's live notes, newest first. */
export const liveOfProject = (db: ReadableDb, project: string): string[] =>
  db.values<string>(
    'SELECT id FROM learning WHERE project = ? AND live = 1 ORDER BY updated_at DESC',
    project,
  );

export function projectName(db: ReadableDb, id: string): string {
  return db.value<string>('SELECT name FROM project WHERE id = ?', id) ?? lastPart(id);
}

/** The folder a project was last seen in; '' when it is not known. */
export function projectRoot(db: ReadableDb, id: string): string {
  return db.value<string>('SELECT root FROM project WHERE id = ?', id) ?? '';
}

/** Ids of the learnings that supersede this one, directly or in turn; a cycle would be walked once. */
export function successorsOf(db: ReadableDb, id: string): string[] {
  return db.values<string>(
    `WITH RECURSIVE successor(id) AS (
       SELECT note ->> '$.supersededBy' FROM learning WHERE id = ?
       UNION SELECT learning.note ->> '$.supersededBy' FROM learning JOIN successor USING (id)
     ) SELECT id FROM successor WHERE id IS NOT NULL`,
    id,
  );
}

/** True when a note would be superseded by one that it supersedes, which would leave neither live. */
export const closesCycle = (db: ReadableDb, id: string, supersededBy: string | null): boolean =>
  supersededBy !== null && (supersededBy === id || successorsOf(db, supersededBy).includes(id));

export function namesOf(db: ReadableDb, seqs: number[]): Map<number, { id: string; title: string }> {
  const rows = db.rows<{ seq: number; id: string; title: string }>(
    'SELECT seq, id, title FROM learning WHERE seq IN (SELECT value FROM json_each(?))',
    [seqs],
  );
  return new Map(rows.map(({ seq, id, title }) => [seq, { id, title }]));
}

/** Live learnings of these shards, the latest first; global ones come after the project's own. */
export function newestIn(db: ReadableDb, shards: number[] | null, limit: number): Learning[] {
  // Shard by shard, from the index and before any note is read: sorting all rows took 13 ms at 10 000.
  const ofShard = db
    .prepare<[number, number], number>(
      'SELECT seq FROM learning WHERE shard = ? AND live = 1 ORDER BY updated_at DESC LIMIT ?',
    )
    .pluck();
  const everywhere = () => db.values<number>('SELECT id FROM shard');
  const latest = (shards ?? everywhere()).flatMap((shard) => ofShard.all(shard, limit));
  return db
    .rows<Row>(
      `${WHOLE} WHERE learning.seq IN (SELECT value FROM json_each(:latest)) ORDER BY project = '', updated_at DESC LIMIT :limit`,
      { latest, limit },
    )
    .map(toLearning);
}

const MOST_IN_WINDOW = 5_000;

/** Live notes learned or last changed in a period, of these shards and, if set, among these rows. */
export function notesBetween(
  db: ReadableDb,
  start: number,
  end: number,
  shards: number[] | null,
  among?: number[],
): Array<{ seq: number; at: number }> {
  return db.rows<{ seq: number; at: number }>(
    `SELECT seq, CASE WHEN updated_at BETWEEN :start AND :end THEN updated_at ELSE created_at END AS at FROM learning
     WHERE live = 1 AND (updated_at BETWEEN :start AND :end OR created_at BETWEEN :start AND :end)
       AND (:shards IS NULL OR shard IN (SELECT value FROM json_each(:shards)))
       AND (:among IS NULL OR seq IN (SELECT value FROM json_each(:among)))
     ORDER BY updated_at DESC LIMIT ${MOST_IN_WINDOW}`,
    { start, end, shards, among },
  );
}

/** All the words of these notes, as searched. */
export function textsOf(db: ReadableDb, seqs: number[]): Map<number, string> {
  const rows = db.rows<{ seq: number; note: string }>(
    'SELECT seq, note FROM learning WHERE seq IN (SELECT value FROM json_each(?))',
    [seqs],
  );
  return new Map(
    rows.map(({ seq, note }) => {
      const parsed = NOTE.read(note);
      const { title, gist, text } = searchText(parsed);
      return [seq, [title, gist, text, ...parsed.tags].join('\n')];
    }),
  );
}

/** Live notes spread evenly over all of them, the same ones every time. */
export function sampleLive(db: ReadableDb, size: number): Learning[] {
  const seqs = db.values<number>('SELECT seq FROM learning WHERE live = 1 ORDER BY seq');
  const step = Math.max(1, seqs.length / size);
  const chosen = Array.from(
    { length: Math.min(size, seqs.length) },
    (_, index) => seqs[Math.floor(index * step)],
  ).filter((seq) => seq !== undefined);
  return [...learningsBySeq(db, chosen).values()];
}
