import type { Output } from '#contract/methods.ts';
import type { ReadableDb } from '../db.ts';
import { slices } from '../../platform/slices.ts';

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
