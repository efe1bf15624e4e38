import type { Output } from '#contract/methods.ts';
import type { ReadableDb } from '../db.ts';

export type Expired = Output<'knowledge.forget'>['forgotten'][number];

const SLICE = 500; // learnings

/**
 * Slice by slice, learnings past their `forgetAfter`, except those this actor has forgotten before and somebody
 * restored. The index has only learnings with a date, the earliest first.
 */
export function* expiredLearnings(db: ReadableDb, now: number, actor: string): Generator<Expired[]> {
  const among = db.prepare<[object], Expired & { seq: number }>(`
    SELECT seq, id, title, note ->> '$.forgetAfter' AS forgetAfter FROM learning INDEXED BY learning_by_expiry
    WHERE note ->> '$.forgetAfter' IS NOT NULL AND note ->> '$.forgetAfter' <= :now AND (note ->> '$.forgetAfter', seq) > (:at, :seq)
      AND status IN ('active', 'candidate', 'proposed')
      AND NOT EXISTS (
        SELECT 1 FROM change WHERE learning_id = learning.id AND actor = :actor AND undone_by IS NOT NULL AND before ->> '$.forgetAfter' = learning.note ->> '$.forgetAfter'
      )
    ORDER BY note ->> '$.forgetAfter', seq LIMIT ${SLICE}
  `);
  for (let [at, seq] = [0, 0]; ;) {
    const slice = among.all({ at, seq, now, actor });
    const last = slice.at(-1);
    if (!last) return;
    [at, seq] = [last.forgetAfter, last.seq];
    yield slice.map(({ seq: _, ...expired }) => expired);
  }
}
