import type { Gap, MergeQuestion } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { ReadableDb, WritableDb } from './db.ts';
import { getLearning } from './learnings.ts';

export interface QuestionRow {
  id: number;
  at: number;
  similarity: number;
  existingId: string;
  incomingId: string;
  state: MergeQuestion['state'];
}

const COLUMNS = 'id, at, similarity, existing_id AS existingId, incoming_id AS incomingId, state';

export function askMerge(db: WritableDb, question: Omit<QuestionRow, 'id' | 'state'>): number {
  return Number(db.prepare('INSERT INTO merge_question (at, similarity, existing_id, incoming_id) VALUES (:at, :similarity, :existingId, :incomingId)')
    .run(question).lastInsertRowid);
}

export function openQuestions(db: ReadableDb): MergeQuestion[] {
  return db.prepare<[], QuestionRow>(`SELECT ${COLUMNS} FROM merge_question WHERE state = 'open' ORDER BY at, id`).all()
    .map(({ existingId, incomingId, ...row }) => ({ ...row, existing: getLearning(db, existingId), incoming: getLearning(db, incomingId) }));
}

export function getQuestion(db: ReadableDb, id: number): QuestionRow {
  const row = db.prepare<[number], QuestionRow>(`SELECT ${COLUMNS} FROM merge_question WHERE id = ?`).get(id);
  if (!row) throw new DaemonError('not-found', `merge question ${id}`);
  return row;
}

export function answerQuestion(db: WritableDb, id: number, state: MergeQuestion['state']): void {
  db.prepare('UPDATE merge_question SET state = ? WHERE id = ?').run(state, id);
}

export function countOpenQuestions(db: ReadableDb): number {
  return db.prepare<[], number>(`SELECT count(*) FROM merge_question WHERE state = 'open'`).pluck().get() as number;
}

export function addGap(db: WritableDb, gap: { at: number; query: string; normalized: string; project: string; session: string }): void {
  db.prepare('INSERT INTO gap (at, query, normalized, project, session) VALUES (:at, :query, :normalized, :project, :session)').run(gap);
}

/** What was asked in vain, asked most first. */
export function listGaps(db: ReadableDb): Gap[] {
  return db.prepare<[], Gap>(`
    SELECT query, project, count(*) AS times, count(DISTINCT session) AS sessions, max(at) AS lastAt
    FROM gap GROUP BY normalized, project ORDER BY sessions DESC, times DESC, lastAt DESC LIMIT 200
  `).all();
}
