import type { ReadableDb, WritableDb } from '../db.ts';
import { MOMENT_PAYLOAD } from '../columns.ts';

interface LiveSession {
  session: string;
  agent: string;
  project: string;
  at: number;
}

/** Records that a hook of this session ran. `canLearn` is asked once, when the session is new. */
export function recordLiveSession(db: WritableDb, seen: LiveSession, canLearn: () => boolean): void {
  if (seen.session === '') return;
  const { changes } = db.run(
    'UPDATE live_session SET at = :at, project = :project WHERE session = :session',
    seen,
  );
  if (changes > 0) return;
  db.insert('INTO live_session (session, agent, project, can_learn, first_at, at)', {
    ...seen,
    canLearn: canLearn(),
    firstAt: seen.at,
  });
}

/** True for a session whose agent can record a learning. */
export function canLearnIn(db: ReadableDb, session: string): boolean {
  return db.value<number>('SELECT can_learn FROM live_session WHERE session = ?', session) === 1;
}

/** The session of a project in which a hook ran last, since then. */
export function lastLiveSession(db: ReadableDb, project: string, since: number): LiveSession | null {
  return (
    db.row<LiveSession>(
      'SELECT session, agent, project, at FROM live_session WHERE project = ? AND at >= ? ORDER BY at DESC LIMIT 1',
      [project, since],
    ) ?? null
  );
}

export function agentOfSession(db: ReadableDb, session: string): string | null {
  return db.value<string>('SELECT agent FROM live_session WHERE session = ?', session) ?? null;
}

export function markLearned(db: WritableDb, session: string, at: number): void {
  db.run('UPDATE live_session SET learned_at = max(learned_at, ?) WHERE session = ?', [at, session]);
}

/** Learnings and candidates that come from a session. */
export function notesOfSession(db: ReadableDb, session: string): string[] {
  if (session === '') return [];
  return db.values<string>(
    `SELECT id FROM learning WHERE note ->> '$.provenance.session' = ? AND status IN ('active', 'candidate') ORDER BY seq`,
    session,
  );
}

interface UnrecordedMoment {
  id: number;
  quote: string;
}

interface Wanted {
  session: string;
  types: readonly string[];
  minScore: number;
}

/**
 * The newest moment of a live session that its agent neither recorded nor was asked about. Moments from before the
 * first hook were back-filled and are left alone.
 */
export function unrecordedMoment(
  db: ReadableDb,
  { session, types, minScore }: Wanted,
): UnrecordedMoment | null {
  const row = db.row<{ id: number; payload: string }>(
    `SELECT moment.id, payload FROM capture_window AS moment JOIN live_session USING (session)
     WHERE session = :session AND can_learn = 1 AND moment.at >= first_at AND moment.at > learned_at
       AND state NOT IN ('duplicate', 'dismissed', 'failed')
       AND payload ->> '$.type' IN (SELECT value FROM json_each(:types))
       AND payload ->> '$.score' >= :minScore AND NOT coalesce(payload ->> '$.speculative', 0)
       AND NOT EXISTS (SELECT 1 FROM nudge WHERE nudge.moment = moment.id)
     ORDER BY moment.at DESC, moment.id DESC LIMIT 1`,
    { session, minScore, types },
  );
  return row ? { id: row.id, quote: MOMENT_PAYLOAD.read(row.payload).quote } : null;
}

export function recordNudge(db: WritableDb, nudge: { moment: number; session: string; at: number }): void {
  db.insert('OR IGNORE INTO nudge (moment, session, at)', nudge);
}

/** How often a session was nudged, and when last. */
export function nudgesOf(db: ReadableDb, session: string): { count: number; lastAt: number } {
  return db.row<{ count: number; lastAt: number }>(
    'SELECT count(*) AS count, coalesce(max(at), 0) AS lastAt FROM nudge WHERE session = ?',
    session,
  ) as { count: number; lastAt: number };
}

interface SessionActivity {
  session: string;
  agent: string;
  project: string;
  at: number;
  /** The person's request, redacted and in one line; '' when nothing was asked. */
  request: string;
}

/** In place of the time of its title: the session was deleted for good and stays so. */
export const ERASED = 0;

/** Records that a session was at work then. The earliest request names it, in whichever order its parts are read. */
export function recordSessionActivity(db: WritableDb, activity: SessionActivity): void {
  if (activity.session === '') return;
  db.run(
    `INSERT INTO known_session (session, agent, project, title, titled_at, seen_at)
    VALUES (:session, :agent, :project, :request, :at, :at)
    ON CONFLICT DO UPDATE SET
      title = iif(${NAMES}, :request, title),
      titled_at = iif(${NAMES}, :at, titled_at),
      project = coalesce(nullif(:project, ''), project),
      seen_at = max(seen_at, :at)
    WHERE titled_at <> ${ERASED}`,
    activity,
  );
}

const NAMES = `:request <> '' AND (title = '' OR :at < titled_at)`;
