import type { ImportBatch, ImportBatchDetail } from '#contract/archive.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { differingFields } from './foreign.ts';
import { getMeta, setMeta } from '../meta.ts';
import { IMPORT_BATCHES, NOTE } from '../columns.ts';
import { IMPORTED, rowsOf } from './list.ts';

const KEY = 'import-batches';
const KEPT = 100;
type Known = ReturnType<typeof IMPORT_BATCHES.read>['batches'];

/** Facts about imports beside the notes that wait: when each was, and how many of its notes were here already. */
function knownBatches(db: ReadableDb): Known {
  const written = getMeta(db, KEY);
  return written ? IMPORT_BATCHES.read(written).batches : [];
}

export function rememberBatch(db: WritableDb, batch: Known[number]): void {
  const others = knownBatches(db).filter(({ from }) => from !== batch.from);
  setMeta(db, KEY, IMPORT_BATCHES.write({ batches: [...others, batch].slice(-KEPT) }));
}

/** The archive a note came in; other imports keep its name one level deeper. */
const FROM = `coalesce(note ->> '$.metadata.imported.from', note ->> '$.metadata.imported')`;
/** Versions of learnings here that an archive has in other words. */
const DIFFERING = `FROM merge_question JOIN learning ON learning.id = incoming_id WHERE state = 'open' AND note ->> '$.metadata.imported' IS NOT NULL`;

/** Imports with something to decide, oldest first. */
export function waitingBatches(db: ReadableDb): ImportBatch[] {
  const counted = (sql: string) =>
    new Map(
      db
        .rows<{ from: string; times: number }>(
          `SELECT ${FROM} AS "from", count(*) AS times ${sql} GROUP BY 1`,
        )
        .map(({ from, times }) => [from, times]),
    );
  const added = counted(`FROM learning WHERE ${IMPORTED}`);
  const changed = counted(DIFFERING);
  const known = new Map(knownBatches(db).map((batch) => [batch.from, batch]));
  return [...added.keys()]
    .map((from) => ({
      from,
      at: known.get(from)?.at ?? 0,
      added: added.get(from) ?? 0,
      changed: changed.get(from) ?? 0,
      same: known.get(from)?.same ?? 0,
    }))
    .toSorted((one, other) => one.at - other.at);
}

const SHOWN = 200;

export function batchOf(db: ReadableDb, from: string): ImportBatchDetail {
  const given = { from, limit: SHOWN };
  const differing = db.rows<{ questionId: number; title: string; ours: string; theirs: string }>(
    `SELECT merge_question.id AS questionId, title, note AS theirs, (SELECT note FROM learning AS here WHERE here.id = existing_id) AS ours
     ${DIFFERING} AND ${FROM} = :from ORDER BY merge_question.id LIMIT :limit`,
    given,
  );
  return {
    added: rowsOf(
      db,
      `FROM learning LEFT JOIN learning_signal USING (seq) WHERE ${IMPORTED} AND ${FROM} = :from ORDER BY created_at, seq LIMIT :limit`,
      given,
    ),
    changed: differing.map(({ questionId, title, ours, theirs }) => ({
      questionId,
      title,
      fields: differingFields(NOTE.read(ours), NOTE.read(theirs)),
    })),
  };
}

export function waitingInBatch(db: ReadableDb, from: string, limit: number): string[] {
  return db.values<string>(
    `SELECT id FROM learning WHERE ${IMPORTED} AND ${FROM} = :from ORDER BY seq LIMIT :limit`,
    { from, limit },
  );
}
