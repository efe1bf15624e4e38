import type { Consolidation } from '#contract/distill.ts';
import type { Note } from '#contract/entities.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { readStrings } from '../persisted-json.ts';

export interface Pass extends Consolidation {
  /** The row number of the newest learning it has read. */
  through: number;
}

export function lastPass(db: ReadableDb): Pass | null {
  return (
    db.row<Pass>(
      'SELECT at, through, why, learnings, clusters, proposed, extended FROM consolidation ORDER BY id DESC LIMIT 1',
    ) ?? null
  );
}

export function recordPass(db: WritableDb, pass: Pass): void {
  db.insert('INTO consolidation (at, through, why, learnings, clusters, proposed, extended)', pass);
  const { through: _, ...shown } = pass;
  db.changes.announce({ type: 'consolidation.completed', pass: shown });
}

export const countLive = (db: ReadableDb): number => db.count('SELECT count(*) FROM learning WHERE live = 1');

/** The number of live learnings after this row, and the time of the first; these types do not count. */
export function learnedSince(
  db: ReadableDb,
  seq: number,
  exceptTypes: readonly string[],
): { learnings: number; firstAt: number | null } {
  return (
    db.row<{ learnings: number; firstAt: number | null }>(
      `SELECT count(*) AS learnings, min(created_at) AS firstAt FROM learning
       -- A knowledge base that was replaced by a smaller one counts from its own end.
       WHERE seq > min(:seq, (SELECT coalesce(max(seq), 0) FROM learning)) AND live = 1 AND type NOT IN (SELECT value FROM json_each(:types))`,
      { seq, types: exceptTypes },
    ) ?? { learnings: 0, firstAt: null }
  );
}

/** The parts of a live learning that are compared with others. */
export interface Comparable {
  seq: number;
  id: string;
  shard: number;
  title: string;
  tags: string[];
}

/** Live learnings after this row, in their order; those of these types are left out. */
export function comparableAfter(
  db: ReadableDb,
  seq: number,
  exceptTypes: readonly string[],
  limit: number,
): Comparable[] {
  return db
    .rows<Omit<Comparable, 'tags'> & { tags: string }>(
      `SELECT seq, id, shard, title, note ->> '$.tags' AS tags FROM learning
       WHERE seq > :seq AND live = 1 AND type NOT IN (SELECT value FROM json_each(:types)) ORDER BY seq LIMIT :limit`,
      { seq, types: exceptTypes, limit },
    )
    .map((row) => ({ ...row, tags: readStrings(row.tags) }));
}

/** Learnings of these types that were changed after a change, each once with its last one, in the order of those. */
export function changedSince(
  db: ReadableDb,
  change: number,
  types: readonly string[],
): Array<{ id: string; change: number }> {
  return db.rows<{ id: string; change: number }>(
    `SELECT learning.id, max(change.id) AS change FROM change JOIN learning ON learning.id = change.learning_id
     WHERE change.id > :change AND type IN (SELECT value FROM json_each(:types)) GROUP BY learning.id ORDER BY max(change.id)`,
    { change, types },
  );
}

/** The moments a learning was said in (the learning itself where it has none), and their sessions. */
export function evidenceOf(
  db: ReadableDb,
  id: string,
  { provenance }: Pick<Note, 'provenance'>,
): { sources: string[]; sessions: string[] } {
  const sources = db.values<string>(
    `SELECT DISTINCT source FROM change WHERE learning_id = ? AND source <> '' AND undone_by IS NULL ORDER BY id`,
    id,
  );
  const sessions = db.values<string>(
    'SELECT DISTINCT session FROM chunk_learning JOIN capture_window ON capture_window.id = chunk WHERE chunk_learning.learning_id = ?',
    id,
  );
  return {
    sources: sources.length > 0 ? sources : [id],
    sessions: [...new Set([...sessions, provenance.session])].filter(Boolean),
  };
}
