import type { Loop, LoopIteration } from '#contract/loops.ts';
import { DaemonError } from '#contract/errors.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { ATTEMPT } from '../columns.ts';

type NewLoop = Pick<
  Loop,
  'id' | 'task' | 'verificationType' | 'omega' | 'windowPolicy' | 'maxIterations' | 'project' | 'startedAt'
>;

/** False when a loop with that id exists. */
export function putLoop(db: WritableDb, loop: NewLoop): boolean {
  const { changes } = db.insert(
    'OR IGNORE INTO loop (id, task, verification_type, omega, window_policy, max_iterations, project, started_at)',
    loop,
  );
  if (changes > 0) db.changes.announce({ type: 'outcome.recorded' });
  return changes > 0;
}

const LOOP = `
  SELECT id, task, verification_type AS verificationType, omega, window_policy AS windowPolicy, max_iterations AS maxIterations, project, status,
         started_at AS startedAt, finished_at AS finishedAt, learning_id AS learningId,
         (SELECT count(*) FROM loop_iteration WHERE loop_id = loop.id) AS iterations,
         (SELECT record ->> '$.evaluator_output.reward_signal' FROM loop_iteration WHERE loop_id = loop.id ORDER BY iteration DESC LIMIT 1) AS lastReward
  FROM loop`;

export function getLoop(db: ReadableDb, id: string): Loop {
  const loop = db.row<Loop>(`${LOOP} WHERE id = ?`, id);
  if (!loop) throw new DaemonError('not-found', `loop ${id}`);
  return loop;
}

export function listLoops(db: ReadableDb, status: string | undefined, limit: number): Loop[] {
  return db.rows<Loop>(
    `${LOOP} WHERE :status IS NULL OR status = :status ORDER BY started_at DESC, id LIMIT :limit`,
    { status, limit },
  );
}

export function finishLoop(
  db: WritableDb,
  id: string,
  status: 'completed' | 'aborted',
  at: number,
  learningId: string | null,
): void {
  db.run('UPDATE loop SET status = ?, finished_at = ?, learning_id = ? WHERE id = ?', [
    status,
    at,
    learningId,
    id,
  ]);
  db.changes.announce({ type: 'outcome.recorded' });
}

/** The iterations whose reflections were injected into the next attempt. */
export function recordInjectedReflections(db: WritableDb, id: string, iterations: number[]): void {
  db.run('UPDATE loop SET told = ? WHERE id = ?', [iterations, id]);
}

export function injectedReflections(db: ReadableDb, id: string): number[] {
  return JSON.parse(db.value<string>('SELECT told FROM loop WHERE id = ?', id) ?? '[]') as number[];
}

export function putIteration(db: WritableDb, { record, flags }: LoopIteration, at: number): void {
  db.insert('INTO loop_iteration (loop_id, iteration, at, record, flags)', {
    loopId: record.loop_id,
    iteration: record.iteration,
    at,
    record: ATTEMPT.write(record),
    flags,
  });
  db.changes.announce({ type: 'outcome.recorded' });
}

interface Row {
  record: string;
  flags: string;
}

const toIteration = ({ record, flags }: Row): LoopIteration => ({
  record: ATTEMPT.read(record),
  flags: JSON.parse(flags) as LoopIteration['flags'],
});

export function iterationsOf(db: ReadableDb, loopId: string): LoopIteration[] {
  return db
    .rows<Row>('SELECT record, flags FROM loop_iteration WHERE loop_id = ? ORDER BY iteration', loopId)
    .map(toIteration);
}

interface FoundReflection extends LoopIteration {
  task: string;
  at: number;
  solved: boolean;
}

const MOST_LOOKED_AT = 5_000;

/** Reflections of all loops with these failures and at least this confidence, newest first. */
export function findReflections(
  db: ReadableDb,
  { categories, minConfidence }: { categories: string[] | null; minConfidence: number | null },
): FoundReflection[] {
  return db
    .rows<Row & { task: string; at: number; solved: number }>(
      `SELECT record, flags, task, at, status = 'completed' AS solved FROM loop_iteration JOIN loop ON loop.id = loop_id
       WHERE record ->> '$.self_reflection' IS NOT NULL
         AND (:categories IS NULL OR failure_category IN (SELECT value FROM json_each(:categories)))
         AND (:minConfidence IS NULL OR confidence >= :minConfidence)
       ORDER BY at DESC, iteration DESC LIMIT ${MOST_LOOKED_AT}`,
      { categories, minConfidence },
    )
    .map(({ task, at, solved, ...row }) => ({ ...toIteration(row), task, at, solved: solved === 1 }));
}
