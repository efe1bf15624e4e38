import type { Learning } from '#contract/entities.ts';
import type { ReadableDb } from '../db.ts';
import { learningsBySeq } from './learnings.ts';

interface OfType {
  type: string;
  /** Only these statuses; all when absent. */
  statuses?: readonly string[];
  category?: string | undefined;
  project?: string | undefined;
  /** The shards to search; null for all. */
  shards?: number[] | null;
  limit?: number;
}

/** Rows of one type of learning, newest first. */
export function rowsOfType(
  db: ReadableDb,
  { type, statuses, category, project, shards = null, limit = -1 }: OfType,
): number[] {
  return db.values<number>(
    `SELECT seq FROM learning
     WHERE type = :type
       AND (:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses)))
       AND (:category IS NULL OR category = :category)
       AND (:project IS NULL OR project = :project)
       AND (:shards IS NULL OR shard IN (SELECT value FROM json_each(:shards)))
     ORDER BY updated_at DESC, seq DESC LIMIT :limit`,
    { type, limit, statuses, category, project, shards },
  );
}

export function learningsOfType(db: ReadableDb, which: OfType): Learning[] {
  const rows = rowsOfType(db, which);
  const learnings = learningsBySeq(db, rows);
  return rows.flatMap((seq) => learnings.get(seq) ?? []);
}
