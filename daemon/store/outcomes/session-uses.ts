import type { SessionSummary, SessionUse } from '#contract/sessions.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { sessionTitle } from '../../text/session-title.ts';
import { readStrings } from '../persisted-json.ts';
import { isCandidate } from '../learnings/searchable.ts';

/** By learning, the words of the question or prompt that it was found by. */
export type Matched = Readonly<Record<string, readonly string[]>>;

interface NewUses extends Pick<SessionUse, 'session' | 'via' | 'agent' | 'project' | 'at'> {
  ids: readonly string[];
  matched?: Matched;
}

/** Records that these learnings were injected into a session. A session without an id is not recorded. */
export function addUses(db: WritableDb, { ids, matched = {}, session, ...use }: NewUses): void {
  if (session === '') return;
  const add = db.prepare(`
    INSERT INTO session_use (session, learning_id, via, first_at, at, agent, project, matched)
    VALUES (:session, :id, :via, :at, :at, :agent, :project, :matched)
    ON CONFLICT DO UPDATE SET at = :at, in_context = 1, matched = coalesce(:matched, matched)
  `);
  const wordsOf = (id: string) => (matched[id] ? JSON.stringify(matched[id]) : null);
  db.transaction(() => ids.forEach((id) => add.run({ ...use, session, id, matched: wordsOf(id) })))();
}

/** Learnings that were injected into a session and are still in its context. */
export function inContext(db: ReadableDb, session: string, via?: SessionUse['via']): Set<string> {
  return new Set(
    db.values<string>(
      'SELECT learning_id FROM session_use WHERE session = :session AND in_context = 1 AND (:via IS NULL OR via = :via)',
      { session, via },
    ),
  );
}

export function lastUseAt(db: ReadableDb, session: string): number {
  return db.value<number | null>('SELECT max(at) FROM session_use WHERE session = ?', session) ?? 0;
}

/** Records that the session's context was compacted or cleared: injected learnings may be gone. */
export function contextLost(db: WritableDb, session: string): void {
  db.run('UPDATE session_use SET in_context = 0 WHERE session = ?', session);
}

/** Names a session that was read before its title was kept: the earliest that is known of the person's words. */
const FIRST_WORDS = `(
  SELECT substr(turn.value ->> '$.text', 1, 1000) FROM capture_window AS moment, json_each(moment.payload, '$.turns') AS turn
  WHERE moment.session = named.session AND turn.value ->> '$.role' = 'human' ORDER BY moment.at, moment.id, turn.key LIMIT 1
)`;

const TITLE = `coalesce(nullif((SELECT title FROM known_session WHERE known_session.session = named.session), ''), ${FIRST_WORDS}, '')`;

const USE = `
  SELECT named.session, ${TITLE} AS sessionTitle, learning_id AS learningId, coalesce(title, '') AS title, via, first_at AS firstAt, named.at, named.agent, named.project, matched,
         (SELECT result FROM review WHERE review.session = named.session AND review.learning_id = named.learning_id ORDER BY review.id DESC LIMIT 1) AS outcome
  FROM session_use AS named LEFT JOIN learning ON learning.id = learning_id`;

type UseRow = Omit<SessionUse, 'matched'> & { matched: string | null };
const toUse = ({ matched, sessionTitle: title, ...use }: UseRow): SessionUse => ({
  ...use,
  sessionTitle: sessionTitle(title),
  matched: matched === null ? null : readStrings(matched),
});

/** Sessions a learning was injected into, latest first. */
export function usesOfLearning(db: ReadableDb, learningId: string, limit: number): SessionUse[] {
  return db
    .rows<UseRow>(`${USE} WHERE learning_id = ? ORDER BY named.at DESC, named.session LIMIT ?`, [
      learningId,
      limit,
    ])
    .map(toUse);
}

/** Learnings injected into a session, in order. */
export function usesOfSession(db: ReadableDb, session: string, limit: number): SessionUse[] {
  return db
    .rows<UseRow>(`${USE} WHERE named.session = ? ORDER BY first_at, learning_id LIMIT ?`, [session, limit])
    .map(toUse);
}

interface WhichSessions {
  limit: number;
  /** A session that was at work since then is live; it is listed even if nothing was noticed in it. */
  liveSince: number;
}

/** Sessions with a moment or an injected learning, and those that are live; the latest first. */
export function listSessions(db: ReadableDb, which: WhichSessions): SessionSummary[] {
  return db
    .rows<SessionRow>(
      `WITH seen AS (
         SELECT session, max(agent) AS agent, max(project) AS project, min(at) AS firstAt, max(at) AS lastAt,
                count(*) AS moments, sum(state IN ('kept', 'duplicate') AND NOT ${isCandidate('learning_id')}) AS kept,
                sum(state = 'kept' AND ${isCandidate('learning_id')}) AS candidates, 0 AS injected FROM capture_window WHERE session <> '' GROUP BY session
         UNION ALL
         SELECT session, max(agent), max(project), min(first_at), max(at), 0, 0, 0, count(DISTINCT learning_id) FROM session_use GROUP BY session
         UNION ALL
         SELECT session, agent, project, titled_at, seen_at, 0, 0, 0, 0 FROM known_session
       ), latest AS (
         SELECT session, max(agent) AS agent, max(project) AS project, min(firstAt) AS firstAt, max(lastAt) AS lastAt,
                sum(moments) AS moments, sum(kept) AS kept, sum(candidates) AS candidates, sum(injected) AS injected FROM seen GROUP BY session
         HAVING sum(moments) + sum(injected) > 0 OR max(lastAt) >= :liveSince ORDER BY lastAt DESC, session LIMIT :limit
       ), troubled AS (
         SELECT session, count(*) AS times FROM effect WHERE kind = 'trouble' GROUP BY session
       ), judged AS (
         SELECT session, learning_id, result, max(id) FROM review WHERE session IN (SELECT session FROM latest) GROUP BY session, learning_id
       )
       SELECT named.*, coalesce((SELECT times FROM troubled WHERE troubled.session = named.session), 0) AS troubles,
              (SELECT count(*) FROM judged WHERE judged.session = named.session AND result = 'pass') AS well,
              (SELECT count(*) FROM judged WHERE judged.session = named.session AND result = 'fail') AS badly,
              ${TITLE} AS title,
              lastAt >= :liveSince AS live
       FROM latest AS named ORDER BY lastAt DESC, session`,
      which,
    )
    .map(({ live, title, ...row }) => ({ ...row, title: sessionTitle(title), live: live === 1 }));
}

type SessionRow = Omit<SessionSummary, 'live'> & { live: number };

export function titleOfSession(db: ReadableDb, session: string): string {
  return sessionTitle(db.value<string>(`SELECT ${TITLE} FROM (SELECT ? AS session) AS named`, session) ?? '');
}

/** The session of a project with the latest injection since then; '' if there is none. */
export function lastSessionIn(db: ReadableDb, project: string, since: number): string {
  return (
    db.value<string>(
      'SELECT session FROM session_use WHERE project = ? AND at >= ? ORDER BY at DESC LIMIT 1',
      [project, since],
    ) ?? ''
  );
}
