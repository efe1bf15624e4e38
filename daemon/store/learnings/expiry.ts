import type { ReadableDb } from '../db.ts';

export interface Expired {
  id: string;
  title: string;
  forgetAfter: number;
}

const SLICE = 500; // learnings, each of which is parsed

/**
 * Slice by slice, learnings past their `forgetAfter`, except those this actor has forgotten before and somebody
 * restored.
 */
export function* expiredLearnings(db: ReadableDb, now: number, actor: string): Generator<Expired[]> {
  const among = db.prepare<[object], Expired>(
    `
    SELECT id, title, note ->> '$.forgetAfter' AS forgetAfter FROM learning
    WHERE seq > :after AND seq <= :until AND note ->> '$.forgetAfter' <= :now AND note ->> '$.forgetAfter' IS NOT NULL AND status IN ('active', 'candidate', 'proposed')
      AND NOT EXISTS (
        SELECT 1 FROM change WHERE learning_id = learning.id AND actor = :actor AND undone_by IS NOT NULL AND before ->> '$.forgetAfter' = learning.note ->> '$.forgetAfter'
      )
    ORDER BY forgetAfter, seq
  `,
  );
  const end = db
    .prepare<[number, number], number | null>(
      'SELECT max(seq) FROM (SELECT seq FROM learning WHERE seq > ? ORDER BY seq LIMIT ?)',
    )
    .pluck();
  for (let after = 0, until = end.get(0, SLICE); until; after = until, until = end.get(after, SLICE))
    yield among.all({ after, until, now, actor });
}
