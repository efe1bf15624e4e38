import type { WritableDb } from '../db.ts';

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
