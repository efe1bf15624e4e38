import type { Learning } from '#contract/entities.ts';
import type { ReadableDb } from '../db.ts';

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
