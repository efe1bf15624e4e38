import type { Learning } from '#contract/entities.ts';
import type { ReadableDb } from '../db.ts';

/** A live learning at its place in time. */
export type Moment = Pick<Learning, 'id' | 'title' | 'project' | 'createdAt'>;

/** The row, shard and time of a learning. */
export function placeOf(
  db: ReadableDb,
  id: string,
): { seq: number; shard: number; createdAt: number } | undefined {
  return db.row<{ seq: number; shard: number; createdAt: number }>(
    'SELECT seq, shard, created_at AS createdAt FROM learning WHERE id = ?',
    id,
  );
}

/** Learnings just before or after a time, in the shards (null: all), oldest first; equal times keep their order. */
export function momentsBeside(
  db: ReadableDb,
  { seq, createdAt }: { seq: number; createdAt: number },
  shards: number[] | null,
  side: 'before' | 'after',
  limit: number,
): Moment[] {
  const [comparison, direction] = side === 'before' ? ['<', 'DESC'] : ['>', 'ASC'];
  const moments = db.rows<Moment>(
    `SELECT id, title, project, created_at AS createdAt FROM learning
     WHERE live = 1 AND (created_at, seq) ${comparison} (:createdAt, :seq)
       AND (:shards IS NULL OR shard IN (SELECT value FROM json_each(:shards)))
     ORDER BY created_at ${direction}, seq ${direction} LIMIT :limit`,
    { seq, createdAt, shards, limit },
  );
  return side === 'before' ? moments.reverse() : moments;
}
