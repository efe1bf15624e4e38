import type { ReadableDb } from '../db.ts';

export interface Expired {
  id: string;
  title: string;
  forgetAfter: number;
}

/** Learnings past their `forgetAfter`, except those this actor has forgotten before and somebody restored. */
export function expiredLearnings(db: ReadableDb, now: number, actor: string, limit: number): Expired[] {
  return db
    .prepare<[object], Expired>(
      `
    SELECT id, title, note ->> '$.forgetAfter' AS forgetAfter FROM learning
    WHERE note ->> '$.forgetAfter' <= :now AND note ->> '$.forgetAfter' IS NOT NULL AND status IN ('active', 'candidate', 'proposed')
      AND NOT EXISTS (
        SELECT 1 FROM change WHERE learning_id = learning.id AND actor = :actor AND undone_by IS NOT NULL AND before ->> '$.forgetAfter' = learning.note ->> '$.forgetAfter'
      )
    ORDER BY forgetAfter, seq LIMIT :limit
  `,
    )
    .all({ now, actor, limit });
}
