import { EFFECT } from '../columns.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { getMeta, setMeta } from '../meta.ts';

export interface StoredEffect {
  id: number;
  kind: string;
  session: string;
  at: number;
  detail: string;
}

/** Stores an effect until it can be carried out; the same effect read again is ignored. */
export function noteEffect(db: WritableDb, effect: Omit<StoredEffect, 'id'>): void {
  const { kind, session, at, detail } = effect;
  db.insert('OR IGNORE INTO effect (key, kind, session, at, detail)', {
    key: `${kind}:${session}:${at}:${detail}`,
    kind,
    session,
    at,
    detail,
  });
}

/** Effects to carry out, oldest first, so that the latest one wins. */
export function waitingEffects(db: ReadableDb): StoredEffect[] {
  return db.rows<StoredEffect>(
    'SELECT id, kind, session, at, detail FROM effect WHERE waiting = 1 ORDER BY at, id',
  );
}

export function effectDone(db: WritableDb, id: number): void {
  db.run('UPDATE effect SET waiting = 0 WHERE id = ?', id);
}

/** Has the reverts of a commit carried out once more. */
export function repeatReverts(db: WritableDb, sha: string): void {
  db.run(
    `UPDATE effect SET waiting = 1 WHERE kind = 'revert'
       AND (instr(detail ->> '$.sha', :sha) = 1 OR instr(:sha, detail ->> '$.sha') = 1)`,
    { sha },
  );
}

/** Effects of one kind, newest first. */
export function effectsSince(db: ReadableDb, kind: string, since: number, limit: number): StoredEffect[] {
  return db.rows<StoredEffect>(
    'SELECT id, kind, session, at, detail FROM effect WHERE kind = ? AND at >= ? ORDER BY at DESC, id DESC LIMIT ?',
    [kind, since, limit],
  );
}

/** Effects of one kind that were stored after that one, in order. */
export function effectsAfter(db: ReadableDb, kind: string, id: number, limit: number): StoredEffect[] {
  return db.rows<StoredEffect>(
    'SELECT id, kind, session, at, detail FROM effect WHERE kind = ? AND id > ? ORDER BY id LIMIT ?',
    [kind, id, limit],
  );
}

/** The sessions in which this very thing happened. */
export function sessionsWith(db: ReadableDb, kind: string, detail: string): string[] {
  return db.values<string>('SELECT DISTINCT session FROM effect WHERE kind = ? AND detail = ? ORDER BY at', [
    kind,
    detail,
  ]);
}

/** Troubles of one session, newest first. */
export function troublesOf(db: ReadableDb, session: string): StoredEffect[] {
  return db.rows<StoredEffect>(
    `SELECT id, kind, session, at, detail FROM effect WHERE kind = 'trouble' AND session = ? ORDER BY at DESC, id DESC`,
    session,
  );
}

const WARNED = 'loop-warned:';

/** The newest loop of a session since then that its agent was not warned of. */
export function latestLoop(
  db: ReadableDb,
  session: string,
  since: number,
): { id: number; detail: string } | null {
  const warned = Number(getMeta(db, `${WARNED}${session}`) ?? 0);
  const [loop] = troublesOf(db, session)
    .filter(({ id, at }) => id > warned && at >= since)
    .map(({ id, detail }) => ({ id, ...EFFECT.trouble.read(detail) }))
    .filter(({ kind }) => kind === 'loop');
  return loop ? { id: loop.id, detail: loop.detail } : null;
}

export const recordLoopWarning = (db: WritableDb, session: string, loop: number): void =>
  setMeta(db, `${WARNED}${session}`, String(loop));

/** True while a moment of the session, noticed up to then, still waits in the queue. */
export function hasUndrained(db: ReadableDb, session: string, until: number): boolean {
  return db.has(
    `SELECT 1 FROM capture_window WHERE session = ? AND at <= ? AND state IN ('queued', 'leased') LIMIT 1`,
    [session, until],
  );
}

interface MomentFate {
  id: number;
  state: string;
  learningId: string | null;
}

export function momentByKey(db: ReadableDb, key: string): MomentFate | null {
  return (
    db.row<MomentFate>(
      'SELECT id, state, learning_id AS learningId FROM capture_window WHERE key = ?',
      key,
    ) ?? null
  );
}

/** Drops a moment that has not become a note; the reason is kept. */
export function dismissMoment(db: WritableDb, id: number, reason: string): void {
  db.run(`UPDATE capture_window SET state = 'dismissed', error = ? WHERE id = ?`, [reason, id]);
}

/** Live learnings that come from a session, up to that time. */
export function liveLearningsOf(db: ReadableDb, session: string, until: number): string[] {
  return db.values<string>(
    `SELECT id FROM learning WHERE note ->> '$.provenance.session' = :session AND live = 1
       AND coalesce((SELECT min(at) FROM capture_window WHERE session = :session AND learning_id = learning.id), created_at) <= :until
     ORDER BY seq`,
    { session, until },
  );
}

interface WaitingNote {
  id: string;
  /** The signal of its moment. */
  signal: string;
}

/** Candidates that come from moments of a session up to that time, if the judge found them at least this likely. */
export function candidatesOf(db: ReadableDb, session: string, until: number, atLeast: number): WaitingNote[] {
  return db.rows<WaitingNote>(
    `SELECT learning.id, min(signal) AS signal FROM capture_window JOIN learning ON learning.id = learning_id
     WHERE session = :session AND at <= :until AND status = 'candidate' AND confidence >= :atLeast
     GROUP BY learning.id ORDER BY learning.seq`,
    { session, until, atLeast },
  );
}
