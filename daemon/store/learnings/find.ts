import type { Learning } from '#contract/entities.ts';
import type { Output } from '#contract/methods.ts';
import type { ReadableDb } from '../db.ts';
import { learningsBySeq } from './learnings.ts';
import { slices } from '../../platform/slices.ts';

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

/** Live notes of the shards (null: all) with all of this metadata; a value also matches a list that contains it. */
export function rowsWithMetadata(
  db: ReadableDb,
  filter: Record<string, string | number | boolean | null>,
  shards: number[] | null,
): number[] {
  return db.values<number>(
    `SELECT seq FROM learning
     WHERE live = 1 AND (:shards IS NULL OR shard IN (SELECT value FROM json_each(:shards)))
       AND NOT EXISTS (
         SELECT 1 FROM json_each(:filter) AS wanted WHERE NOT EXISTS (
           SELECT 1 FROM json_each(note, '$.metadata') AS had
           WHERE had.key = wanted.key AND (
             had.type = wanted.type AND had.atom IS wanted.atom
             OR had.type = 'array' AND EXISTS (SELECT 1 FROM json_each(had.value) AS item WHERE item.type = wanted.type AND item.atom IS wanted.atom))))`,
    { shards, filter: JSON.stringify(filter) },
  );
}

/** The subject of a learning and when it last changed; the project of a global one is ''. */
export type Subject = Pick<Learning, 'id' | 'title' | 'category' | 'project' | 'updatedAt'>;

const MOST = 5_000;

/** Learnings created, changed or retired since then, the latest first. Notes that never were learnings do not count. */
export function subjectsSince(db: ReadableDb, from: number): Subject[] {
  return db.rows<Subject>(
    `SELECT id, title, category, iif(note ->> '$.scope' = 'global', '', project) AS project, updated_at AS updatedAt FROM learning
     WHERE updated_at >= ? AND status NOT IN ('candidate', 'proposed', 'rejected') ORDER BY updated_at DESC LIMIT ${MOST}`,
    from,
  );
}

/**
 * Ids of the notes that belong to a branch and are in use or may be; not those somebody gave back to it after this
 * actor moved them.
 */
export function notesOnBranches(db: ReadableDb, actor: string): string[] {
  return db.values<string>(
    `SELECT learning.id FROM shard JOIN learning ON learning.shard = shard.id
     WHERE shard.branch <> '' AND learning.status IN ('active', 'proposed', 'candidate')
       AND NOT EXISTS (SELECT 1 FROM change WHERE learning_id = learning.id AND actor = ? AND undone_by IS NOT NULL)
     ORDER BY learning.seq`,
    actor,
  );
}

/** True when a person or their editor chose the branch of this note. */
export function branchWasChosen(db: ReadableDb, id: string, actors: readonly string[]): boolean {
  return db.has(
    `SELECT 1 FROM change
     WHERE learning_id = :id AND actor IN (SELECT value FROM json_each(:actors))
       AND EXISTS (SELECT 1 FROM json_each(fields) WHERE value = 'branch')`,
    { id, actors },
  );
}

/** A live learning at its place in time. */
type Moment = Pick<Learning, 'id' | 'title' | 'project' | 'createdAt'>;

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

export type Expired = Output<'knowledge.forget'>['forgotten'][number];

type Row = Expired & { seq: number };

const SLICE = 500; // learnings

/**
 * Slice by slice, learnings past their `forgetAfter`, except those this actor has forgotten before and somebody
 * restored. The index has only learnings with a date, the earliest first.
 */
export function* expiredLearnings(db: ReadableDb, now: number, actor: string): Generator<Expired[]> {
  const among = db.prepare<[object], Row>(`
    SELECT seq, id, title, note ->> '$.forgetAfter' AS forgetAfter FROM learning INDEXED BY learning_by_expiry
    WHERE note ->> '$.forgetAfter' IS NOT NULL AND note ->> '$.forgetAfter' <= :now AND (note ->> '$.forgetAfter', seq) > (:at, :seq)
      AND status IN ('active', 'candidate', 'proposed')
      AND NOT EXISTS (
        SELECT 1 FROM change WHERE learning_id = learning.id AND actor = :actor AND undone_by IS NOT NULL AND before ->> '$.forgetAfter' = learning.note ->> '$.forgetAfter'
      )
    ORDER BY note ->> '$.forgetAfter', seq LIMIT ${SLICE}
  `);
  const after = (last?: Row) => among.all({ at: last?.forgetAfter ?? 0, seq: last?.seq ?? 0, now, actor });
  for (const slice of slices(after)) yield slice.map(({ seq: _, ...expired }) => expired);
}
