import type { MergeQuestion } from '#contract/entities.ts';
import type { Gap } from '#contract/recall.ts';
import { DaemonError } from '#contract/errors.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { getLearning, successorsOf } from './learnings.ts';

type QuestionRow = Omit<MergeQuestion, 'existing' | 'incoming'> & {
  existingId: string;
  incomingId: string;
};

type NewQuestion = Pick<QuestionRow, 'similarity' | 'existingId' | 'incomingId'> &
  Partial<Pick<QuestionRow, 'kind' | 'at'>>;

const COLUMNS =
  'merge_question.id, kind, at, similarity, existing_id AS existingId, incoming_id AS incomingId, state';

export function askMerge(
  { db, now }: { db: WritableDb; now: () => number },
  { kind = 'twin', at = now(), similarity, existingId, incomingId }: NewQuestion,
): number {
  const asked = { at, kind, similarity, existingId, incomingId };
  const { lastInsertRowid } = db.insert(
    'INTO merge_question (at, kind, similarity, existing_id, incoming_id)',
    asked,
  );
  const id = Number(lastInsertRowid);
  db.changes.announce({ type: 'question.asked', id, kind, existingId, incomingId });
  return id;
}

/** True when a person was asked about these two, whatever the answer. */
export function wasPersonAsked(db: ReadableDb, one: string, other: string): boolean {
  return db.has(
    'SELECT 1 FROM merge_question WHERE incoming_id = :one AND existing_id = :other OR incoming_id = :other AND existing_id = :one',
    { one, other },
  );
}

/** True when a person decided that both stand: by keeping both, or by undoing that one superseded the other. */
export function areBothKept(db: ReadableDb, one: string, other: string): boolean {
  return db.has(
    `SELECT 1 FROM merge_question WHERE state = 'kept-both' AND (incoming_id = :one AND existing_id = :other OR incoming_id = :other AND existing_id = :one)
     UNION ALL
     SELECT 1 FROM change WHERE kind = 'supersede' AND undone_by IS NOT NULL
       AND (learning_id = :one AND after ->> '$.supersededBy' = :other OR learning_id = :other AND after ->> '$.supersededBy' = :one)`,
    { one, other },
  );
}

const MOST_SHOWN = 200;
/** Questions that still need an answer; archiving one of the notes, for instance, settles its question. */
const OPEN = `FROM merge_question JOIN learning AS incoming ON incoming.id = incoming_id WHERE state = 'open' AND (incoming.status = 'proposed' OR incoming.live = 1)`;

/** Open questions, oldest first. A note that was merged since is shown as the note it became. */
export function openQuestions(db: ReadableDb): MergeQuestion[] {
  return db
    .rows<QuestionRow>(`SELECT ${COLUMNS} ${OPEN} ORDER BY at, merge_question.id LIMIT ${MOST_SHOWN}`)
    .map(({ existingId, incomingId, ...row }) => ({
      ...row,
      existing: getLearning(db, latestForm(db, existingId)),
      incoming: getLearning(db, incomingId),
    }));
}

/** The note itself, or the last note that supersedes it. */
export function latestForm(db: ReadableDb, id: string): string {
  return successorsOf(db, id).at(-1) ?? id;
}

export function getQuestion(db: ReadableDb, id: number): QuestionRow {
  const row = db.row<QuestionRow>(`SELECT ${COLUMNS} FROM merge_question WHERE id = ?`, id);
  if (!row) throw new DaemonError('not-found', `merge question ${id}`);
  return row;
}

export function openQuestionAbout(db: ReadableDb, incomingId: string): number | undefined {
  return db.value<number>(
    `SELECT id FROM merge_question WHERE incoming_id = ? AND state = 'open' ORDER BY id LIMIT 1`,
    incomingId,
  );
}

/** True while a person is asked about this note, as the one that is here or the one that came. */
export function openQuestionAmong(db: ReadableDb, id: string): boolean {
  return db.has(`SELECT 1 ${OPEN} AND (existing_id = :id OR incoming_id = :id)`, { id });
}

/** The open contradictions of these notes, each as one of them and the other side. */
export function contradictionsOf(
  db: ReadableDb,
  ids: readonly string[],
): Array<{ id: string; rivalId: string }> {
  const side = (own: string, other: string) =>
    `SELECT ${own} AS id, ${other} AS rivalId ${OPEN} AND kind = 'contradiction' AND ${own} IN (SELECT value FROM json_each(:ids))`;
  return db.rows<{ id: string; rivalId: string }>(
    `${side('existing_id', 'incoming_id')} UNION ALL ${side('incoming_id', 'existing_id')}`,
    { ids },
  );
}

export function answerQuestion(
  db: WritableDb,
  id: number,
  state: MergeQuestion['state'],
  changeId: number,
): void {
  db.run('UPDATE merge_question SET state = ?, answered_by = ? WHERE id = ?', [state, changeId, id]);
  db.changes.announce({ type: 'question.answered', id, state });
}

/** Reopens the questions that this change answered, because it was undone. */
export function reopenQuestion(db: WritableDb, changeId: number): void {
  const reopened = db.rows<{ id: number }>(
    `UPDATE merge_question SET state = 'open', answered_by = NULL WHERE answered_by = ? RETURNING id`,
    changeId,
  );
  for (const { id } of reopened) db.changes.announce({ type: 'question.reopened', id });
}

export function addGap(
  db: WritableDb,
  gap: { at: number; query: string; normalized: string; project: string; session: string },
): void {
  db.insert('INTO gap (at, query, normalized, project, session)', gap);
  db.changes.announce({ type: 'gap.opened', query: gap.query, project: gap.project });
}

/** Questions without an answer, those of most sessions first. A closed one that is asked again is open again. */
export function listGaps(db: ReadableDb): Gap[] {
  return db.rows<Gap>(`SELECT query, project, count(*) AS times, count(DISTINCT session) AS sessions, max(at) AS lastAt
  FROM gap GROUP BY normalized, project HAVING min(closed) = 0
  ORDER BY sessions DESC, times DESC, lastAt DESC LIMIT 200`);
}

/** Closes a gap until it is asked again, or reopens it. */
export function closeGap(
  db: WritableDb,
  { query, project }: Pick<Gap, 'query' | 'project'>,
  closed: boolean,
): void {
  const { changes } = db.run(
    `UPDATE gap SET closed = :closed WHERE project = :project
        AND normalized = (SELECT normalized FROM gap WHERE query = :query AND project = :project LIMIT 1)`,
    { query, project, closed },
  );
  if (changes === 0) throw new DaemonError('not-found', `the question “${query}” was not asked here`);
  db.changes.announce({ type: closed ? 'gap.closed' : 'gap.reopened', query, project });
}
