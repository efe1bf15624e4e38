import type { Moment } from '#contract/capture.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { MOMENT_PAYLOAD } from '../columns.ts';
import { isCandidate } from '../learnings/searchable.ts';

export interface NewMoment {
  /** Identifies the record that triggered it: a resumed session copies records, and a copy must not count again. */
  key: string;
  chunkHash: string;
  signal: string;
  agent: string;
  session: string;
  transcript: string;
  project: string;
  branch: string | null;
  at: number;
  payload: string;
}

/** Queues a moment, to be drained when its turn is over, and after `notBefore` in any case. */
export function enqueueMoment(db: WritableDb, moment: NewMoment, notBefore: number): number | null {
  const result = db.insert(
    'OR IGNORE INTO capture_window (key, chunk_hash, signal, agent, session, transcript, project, branch, at, payload, lease_until)',
    { ...moment, leaseUntil: notBefore },
  );
  return result.changes > 0 ? Number(result.lastInsertRowid) : null;
}

/** Adds what was said right after to a moment that has not been drained. */
export function appendTurn(db: WritableDb, key: string, turn: string): void {
  db.run(
    `UPDATE capture_window SET payload = json_insert(payload, '$.turns[#]', json(?)) WHERE key = ? AND state = 'queued'`,
    [turn, key],
  );
}

/** Makes every queued moment due at once. */
export function hurryMoments(db: WritableDb, now: number): void {
  db.run(
    `UPDATE capture_window SET lease_until = min(lease_until, ?) WHERE state = 'queued' AND attempts = 0`,
    now,
  );
}

/** Moments that wait for more to be said; one that a writer postponed has a reason. */
const SETTLING = `state = 'queued' AND attempts = 0 AND error = ''`;

/** A transcript goes on: its moments wait for its silence again. */
export function settleAgain(db: WritableDb, transcript: string, now: number, until: number): void {
  db.run(
    `UPDATE capture_window SET lease_until = ? WHERE transcript = ? AND lease_until > ? AND ${SETTLING}`,
    [until, transcript, now],
  );
}

/** Nothing more is added to this moment: it is due at once. */
export function completeMoment(db: WritableDb, key: string, now: number): void {
  db.run(`UPDATE capture_window SET lease_until = min(lease_until, ?) WHERE key = ? AND ${SETTLING}`, [
    now,
    key,
  ]);
}

/** True while a moment of the project, noticed up to then, still waits in the queue. */
export function hasUndrainedIn(db: ReadableDb, project: string, until: number): boolean {
  return db.has(
    `SELECT 1 FROM capture_window WHERE project = ? AND at <= ? AND state IN ('queued', 'leased') LIMIT 1`,
    [project, until],
  );
}

/** Other moments of the same session and project that still wait, oldest first. */
export function waitingBeside(
  db: ReadableDb,
  key: string,
  limit: number,
): Array<Omit<LeasedMoment, 'attempts'>> {
  return db.rows<Omit<LeasedMoment, 'attempts'>>(
    `SELECT other.id, other.key, other.chunk_hash AS chunkHash, other.signal, other.agent, other.session, other.transcript,
       other.project, other.branch, other.at, other.payload
     FROM capture_window AS moment JOIN capture_window AS other USING (session, project)
     WHERE moment.key = :key AND session <> '' AND other.state = 'queued' AND other.id <> moment.id
     ORDER BY other.at, other.id LIMIT :limit`,
    { key, limit },
  );
}

/** The time at which the next moment may be drained; null when the queue is empty. */
export function nextDrainAt(db: ReadableDb): number | null {
  return (
    db.value<number | null>(
      `SELECT min(lease_until) FROM capture_window WHERE state IN ('queued', 'leased')`,
    ) ?? null
  );
}

export interface LeasedMoment extends NewMoment {
  id: number;
  attempts: number;
}

const LEASE = 60_000; // ms; after this, the work of a daemon that died is free again

/** Leases the oldest moment that is not leased. */
export function leaseMoment(db: WritableDb, now: number): LeasedMoment | null {
  return (
    db.row<LeasedMoment>(
      `UPDATE capture_window SET state = 'leased', lease_until = :until, attempts = attempts + 1
       WHERE id = (SELECT id FROM capture_window WHERE state = 'queued' AND lease_until <= :now OR state = 'leased' AND lease_until < :now ORDER BY at, id LIMIT 1)
       RETURNING id, key, chunk_hash AS chunkHash, signal, agent, session, transcript, project, branch, at, payload, attempts`,
      { now, until: now + LEASE },
    ) ?? null
  );
}

export function settleMoment(
  db: WritableDb,
  id: number,
  state: Exclude<Moment['state'], 'candidate'>,
  learningId: string | null,
): void {
  db.run(`UPDATE capture_window SET state = ?, learning_id = ?, error = '' WHERE id = ?`, [
    state,
    learningId,
    id,
  ]);
}

/** The reason of the change that archives the learning of a dismissed moment. */
export const DISMISSED = 'dismissed';

/** A learning that comes back brings back the moments it was dismissed with. */
export function restoreMomentsOf(db: WritableDb, learningId: string): void {
  db.run(`UPDATE capture_window SET state = 'kept' WHERE learning_id = ? AND state = ? AND error = ''`, [
    learningId,
    DISMISSED,
  ]);
}

/** Queues it again for later, or gives up; either way the reason is kept. */
export function failMoment(db: WritableDb, id: number, error: string, retryAt: number | null): void {
  db.run('UPDATE capture_window SET state = ?, lease_until = ?, error = ? WHERE id = ?', [
    retryAt === null ? 'failed' : 'queued',
    retryAt ?? 0,
    error,
    id,
  ]);
}

interface SameWords extends Pick<NewMoment, 'chunkHash' | 'project' | 'at'> {
  /** How far apart the words may have been said, in milliseconds. */
  within: number;
}

/** Queues it again, due at that time. The reason is shown; the wait does not count as an attempt. */
export function deferMoment(db: WritableDb, id: number, why: string, until: number): void {
  db.run(
    `UPDATE capture_window SET state = 'queued', lease_until = ?, error = ?, attempts = attempts - 1 WHERE id = ?`,
    [until, why, id],
  );
}

/** A learning already made from these very words, in this project (S7). */
export function learningFromChunk(db: ReadableDb, said: SameWords): string | undefined {
  return db.value<string>(
    `SELECT learning_id FROM capture_window
     WHERE chunk_hash = :chunkHash AND state IN ('kept', 'duplicate') AND project = :project AND abs(at - :at) <= :within
     ORDER BY abs(at - :at), id LIMIT 1`,
    said,
  );
}

type Row = Omit<Moment, 'quote' | 'why'> & { payload: string };

/** A kept moment is shown as its note is: a candidate, or dropped. Deciding about the note need not touch it. */
const STATE = `CASE WHEN state <> 'kept' THEN state
  WHEN ${isCandidate('learning_id')} THEN 'candidate'
  WHEN EXISTS (SELECT 1 FROM learning AS dropped WHERE dropped.id = learning_id AND dropped.status = 'rejected') THEN 'dismissed'
  ELSE state END`;
const COLUMNS = `id, signal, agent, session, transcript, project, branch, at, payload, ${STATE} AS state, error, learning_id AS learningId`;

function toMoment({ payload, ...row }: Row): Moment {
  const { quote, why } = MOMENT_PAYLOAD.read(payload);
  return { ...row, quote, why };
}

export function listMoments(db: ReadableDb, session: string | undefined, limit: number): Moment[] {
  return db
    .rows<Row>(
      `SELECT ${COLUMNS} FROM capture_window WHERE signal <> '' AND (:session IS NULL OR session = :session) ORDER BY at DESC, id DESC LIMIT :limit`,
      { session, limit },
    )
    .map(toMoment);
}

export function findMoment(db: ReadableDb, id: number): Moment | null {
  const row = db.row<Row>(`SELECT ${COLUMNS} FROM capture_window WHERE id = ?`, id);
  return row ? toMoment(row) : null;
}

export function countQueue(db: ReadableDb): number {
  return db.count(`SELECT count(*) FROM capture_window WHERE state IN ('queued', 'leased')`);
}

/** How many learnings the moments of a session led to. */
export function countLearningsOf(db: ReadableDb, session: string): number {
  return db.count(
    `SELECT count(DISTINCT learning.id) FROM capture_window JOIN learning ON learning.id = learning_id
     WHERE session = ? AND status = 'active'`,
    session,
  );
}

/** The payload a learning was written from: its evidence when the transcript is gone. */
export function payloadFor(db: ReadableDb, learningId: string): string | undefined {
  return db.value<string>(
    `SELECT payload FROM capture_window WHERE learning_id = ? ORDER BY id LIMIT 1`,
    learningId,
  );
}
