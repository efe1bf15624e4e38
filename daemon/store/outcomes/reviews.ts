import type { Review } from '#contract/outcomes.ts';
import { DaemonError } from '#contract/errors.ts';
import { DAY } from '../../platform/time.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { isCandidate } from '../learnings/searchable.ts';

interface NewReview extends Omit<Review, 'id' | 'title' | 'undoneAt'> {
  /** How much it changed the learning's quality. */
  qualityStep: number;
}

/** Stores a review; false when the session has already judged this learning by the same kind of outcome. */
export function addReview(db: WritableDb, review: NewReview): boolean {
  const { changes } = db.insert(
    'OR IGNORE INTO review (at, learning_id, source, result, alpha, q_before, q_after, quality_step, trace_id, session, reason)',
    review,
  );
  if (changes > 0) db.changes.announce({ type: 'outcome.recorded' });
  return changes > 0;
}

const REVIEW = `
  SELECT review.id, at, learning_id AS learningId, coalesce(title, '') AS title, source, result, alpha, q_before AS qBefore, q_after AS qAfter,
         trace_id AS traceId, session, reason, taken_back_at AS undoneAt
  FROM review LEFT JOIN learning ON learning.id = learning_id`;

const LONGEST_HISTORY = 1_000;

/** The newest reviews, oldest first: in order they show how the utility developed. */
export function reviewsOf(db: ReadableDb, learningId: string): Review[] {
  return db
    .rows<Review>(
      `${REVIEW} WHERE learning_id = ? ORDER BY review.id DESC LIMIT ${LONGEST_HISTORY}`,
      learningId,
    )
    .toReversed();
}

export function reviewsOfTrace(db: ReadableDb, traceId: string): Review[] {
  return db.rows<Review>(`${REVIEW} WHERE trace_id = ? ORDER BY review.id`, traceId);
}

export function listReviews(
  db: ReadableDb,
  { session, source, limit }: { session?: string | undefined; source?: string | undefined; limit: number },
): Review[] {
  return db.rows<Review>(
    `${REVIEW} WHERE (:session IS NULL OR session = :session) AND (:source IS NULL OR source = :source) ORDER BY review.id DESC LIMIT :limit`,
    { session, source, limit },
  );
}

/** Most judgements of one learning by runs in a day: a misled run or a repeating program must not sink it. */
const MOST_A_DAY = { agent: 3, person: 5 };
const MOST_IN_A_SESSION = 50;
const BY_RUNS = `review WHERE source = 'trace' AND taken_back_at IS NULL AND at > :since`;

/** Those of the learnings that this session, and runs on this day, may still judge: for an agent, of its project. */
export function openToRuns(
  db: ReadableDb,
  ids: readonly string[],
  { session, actor, project }: { session: string; actor: 'agent' | 'person'; project: string },
  now: number,
): string[] {
  const since = now - DAY;
  const judged = db.prepare<[object], { today: number; here: number }>(
    `SELECT count(*) AS today, count(*) FILTER (WHERE session = :session) AS here FROM ${BY_RUNS} AND learning_id = :id`,
  );
  const inSession = db
    .prepare<[object], number>(`SELECT count(*) FROM ${BY_RUNS} AND session = :session`)
    .pluck();
  const ownerOf = db.prepare<[string], string>('SELECT project FROM learning WHERE id = ?').pluck();
  const isElsewhere = (id: string) =>
    actor === 'agent' && project !== '' && !['', project].includes(ownerOf.get(id) ?? '');
  const isOpen = (id: string) => {
    if (isElsewhere(id)) return false;
    const { today = 0, here = 0 } = judged.get({ id, session, since }) ?? {};
    return today < MOST_A_DAY[actor] && (session === '' || here === 0);
  };
  const left =
    session === '' ? MOST_IN_A_SESSION : MOST_IN_A_SESSION - (inSession.get({ session, since }) ?? 0);
  return ids.filter(isOpen).slice(0, Math.max(0, left));
}

export function getReview(db: ReadableDb, id: number): Review {
  const review = db.row<Review>(`${REVIEW} WHERE review.id = ?`, id);
  if (!review) throw new DaemonError('not-found', `review ${id}`);
  return review;
}

export function qualityStepOf(db: ReadableDb, id: number): number {
  return db.value<number>('SELECT quality_step FROM review WHERE id = ?', id) as number;
}

export function markUndone(db: WritableDb, id: number, at: number | null): void {
  db.run('UPDATE review SET taken_back_at = ? WHERE id = ?', [at, id]);
  db.changes.announce({ type: 'outcome.recorded' });
}

/** Recomputes a learning's utility from its first review; `step` returns it after each. Returns the last one. */
export function retrace(
  db: WritableDb,
  learningId: string,
  step: (q: number, review: Pick<Review, 'result' | 'alpha' | 'undoneAt'>) => number,
): number | null {
  type Step = Pick<Review, 'id' | 'result' | 'alpha' | 'undoneAt' | 'qBefore'>;
  const steps = db.rows<Step>(
    'SELECT id, result, alpha, taken_back_at AS undoneAt, q_before AS qBefore FROM review WHERE learning_id = ? ORDER BY id',
    learningId,
  );
  const put = db.prepare('UPDATE review SET q_before = ?, q_after = ? WHERE id = ?');
  return steps.reduce<number | null>((at, review) => {
    const before = at ?? review.qBefore;
    const after = step(before, review);
    put.run(before, after, review.id);
    return after;
  }, null);
}

/** An outcome of a session that judges what it had recalled. */
type SessionOutcome = Pick<Review, 'session' | 'at' | 'source' | 'result' | 'reason'>;

/** Corrections that became learnings; candidates, retracted and dismissed ones judge nothing. */
const CORRECTED = `SELECT session, at, 'correction' AS source, 'fail' AS result, 'corrected: ' || substr(payload ->> '$.quote', 1, 200) AS reason
  FROM asked CROSS JOIN capture_window USING (session)
  WHERE at >= :since AND state IN ('kept', 'duplicate') AND NOT ${isCandidate('learning_id')} AND signal IN (SELECT value FROM json_each(:signals))`;
const FIXED = `SELECT session, at, 'tests-fixed', 'pass', (detail ->> '$.runner') || ' failed before and passes now'
  FROM effect JOIN asked USING (session) WHERE kind = 'tests-fixed' AND at >= :since`;
const BROKE = `SELECT session, at, 'tests-broke', 'fail', 'tests broke: ' || substr(detail ->> '$.detail', 1, 200)
  FROM effect JOIN asked USING (session) WHERE kind = 'trouble' AND at >= :since AND detail ->> '$.kind' = 'test-regression'`;

/** Outcomes of sessions that had recalled something, oldest first. */
export function sessionOutcomes(db: ReadableDb, since: number, signals: readonly string[]): SessionOutcome[] {
  return db.rows<SessionOutcome>(
    `WITH asked AS (SELECT session FROM recall_log WHERE at >= :since AND session <> '' AND ids <> '[]' UNION SELECT session FROM session_use WHERE at >= :since)
     ${CORRECTED} UNION ALL ${FIXED} UNION ALL ${BROKE} ORDER BY at, source`,
    { since, signals },
  );
}

/** Learnings injected within this many milliseconds before an outcome, and not judged by this kind of outcome. */
export function recalledBefore(
  db: ReadableDb,
  { session, source, at }: Pick<SessionOutcome, 'session' | 'source' | 'at'>,
  within: number,
): string[] {
  return db.values<string>(
    `WITH given AS (
       SELECT value FROM recall_log, json_each(ids) WHERE session = :session AND at BETWEEN :at - :within AND :at
       UNION SELECT learning_id FROM session_use WHERE session = :session AND first_at <= :at AND at >= :at - :within
     )
     SELECT value FROM given
     WHERE NOT EXISTS (SELECT 1 FROM review WHERE session = :session AND session <> '' AND learning_id = value AND source = :source AND trace_id IS NULL)
     ORDER BY value`,
    { session, source, at, within },
  );
}
