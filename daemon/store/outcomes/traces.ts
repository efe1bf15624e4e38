import type { Message, Trace, Verdict } from '#contract/outcomes.ts';
import { DaemonError } from '#contract/errors.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { readStrings } from '../persisted-json.ts';

export interface StoredTrace extends Omit<Trace, 'toolsUsed'> {
  trajectory: Message[];
}

type NewTrace = Omit<StoredTrace, 'result' | 'feedback' | 'alpha' | 'reviewedAt' | 'memoryId' | 'problem'>;

export function putTrace(
  db: WritableDb,
  { trajectory, retrievedMemoryIds, metadata, ...trace }: NewTrace,
): void {
  db.insert(
    'INTO trace (id, at, task, trajectory, final_response, retrieved, metadata, project, branch, session)',
    {
      ...trace,
      trajectory,
      retrieved: retrievedMemoryIds,
      metadata: JSON.stringify(metadata),
    },
  );
  db.changes.announce({ type: 'outcome.recorded' });
}

interface Row extends Omit<StoredTrace, 'trajectory' | 'retrievedMemoryIds' | 'metadata'> {
  trajectory: string;
  retrieved: string;
  metadata: string;
}

const TRACE = `SELECT id, at, task, trajectory, final_response AS finalResponse, retrieved, metadata, project, branch, session, result, feedback, alpha,
  reviewed_at AS reviewedAt, memory_id AS memoryId, problem FROM trace`;

// The JSON columns were written from these types and nothing else writes them.
const toTrace = ({ trajectory, retrieved, metadata, ...row }: Row): StoredTrace => ({
  ...row,
  trajectory: JSON.parse(trajectory) as Message[],
  retrievedMemoryIds: readStrings(retrieved),
  metadata: JSON.parse(metadata) as Trace['metadata'],
});

export function getTrace(db: ReadableDb, id: string): StoredTrace {
  const row = db.row<Row>(`${TRACE} WHERE id = ?`, id);
  if (!row) throw new DaemonError('not-found', `trace ${id}`);
  return toTrace(row);
}

export function listTraces(db: ReadableDb, unreviewed: boolean, limit: number): StoredTrace[] {
  return db
    .rows<Row>(`${TRACE} WHERE ? = 0 OR result IS NULL ORDER BY at DESC, id LIMIT ?`, [unreviewed, limit])
    .map(toTrace);
}

/** Reviewed runs of a project since a time, and how many of them are of one session, or of none. */
export function countReviewed(
  db: ReadableDb,
  of: { session: string; project: string },
  since: number,
): { inSession: number; inProject: number } {
  const counts = db.row<{ inSession: number; inProject: number }>(
    `SELECT count(*) FILTER (WHERE session = :session) AS inSession, count(*) AS inProject
      FROM trace WHERE project = :project AND reviewed_at > :since`,
    { ...of, since },
  );
  return counts ?? { inSession: 0, inProject: 0 };
}

/** The oldest judged trace without a memory. */
export function traceToWrite(db: ReadableDb): StoredTrace | null {
  const row = db.row<Row>(
    `${TRACE} WHERE result IS NOT NULL AND memory_id IS NULL AND problem = '' ORDER BY reviewed_at LIMIT 1`,
  );
  return row ? toTrace(row) : null;
}

export function judgeTrace(
  db: WritableDb,
  id: string,
  verdict: { result: Verdict; alpha: number; feedback: string; reviewedAt: number },
): void {
  db.run(
    'UPDATE trace SET result = :result, alpha = :alpha, feedback = :feedback, reviewed_at = :reviewedAt WHERE id = :id',
    { ...verdict, id },
  );
  db.changes.announce({ type: 'outcome.recorded' });
}

/** Stores the memory written from it, or why there is none. */
export function settleTrace(
  db: WritableDb,
  id: string,
  outcome: { memoryId: string } | { problem: string },
): void {
  db.run('UPDATE trace SET memory_id = ?, problem = ? WHERE id = ?', [
    'memoryId' in outcome ? outcome.memoryId : null,
    'problem' in outcome ? outcome.problem : '',
    id,
  ]);
  db.changes.announce({ type: 'outcome.recorded' });
}
