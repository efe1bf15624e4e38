import type { Chunk } from '#contract/capture.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { readStrings } from '../persisted-json.ts';
import { NEW_SIGNALS, setSignals } from './signals.ts';

/** Records that a learning comes from this chunk; false when that was known. */
export function linkChunk(db: WritableDb, chunk: number, learningId: string): boolean {
  const isNew =
    db.insert('OR IGNORE INTO chunk_learning (chunk, learning_id)', { chunk, learningId }).changes > 0;
  if (isNew) weigh(db, learningId);
  return isNew;
}

const PER_SESSION = 10;
const MOST_IMPORTANT = 100;

/** A lesson of more sessions matters more, however often each of them said it. */
function weigh(db: WritableDb, id: string): void {
  const sessions = db.value<number>(
    'SELECT count(DISTINCT session) FROM chunk_learning JOIN capture_window ON capture_window.id = chunk WHERE chunk_learning.learning_id = ?',
    id,
  );
  const importance = NEW_SIGNALS.importance + PER_SESSION * (Math.max(1, sessions ?? 1) - 1);
  setSignals(db, id, { importance: Math.min(MOST_IMPORTANT, importance) });
}

/** Copies the chunks of a learning to the one it was merged into. */
export function shareChunks(db: WritableDb, from: string, to: string): void {
  db.run(
    'INSERT OR IGNORE INTO chunk_learning (chunk, learning_id) SELECT chunk, ? FROM chunk_learning WHERE learning_id = ?',
    [to, from],
  );
  weigh(db, to);
}

/** Removes the copied chunks when a merge is undone. */
export function unshareChunks(db: WritableDb, from: string, to: string): void {
  db.run(
    `DELETE FROM chunk_learning WHERE learning_id = :to AND chunk IN (
      SELECT chunk FROM chunk_learning JOIN capture_window ON capture_window.id = chunk WHERE chunk_learning.learning_id = :from AND capture_window.learning_id <> :to
    )`,
    { from, to },
  );
  weigh(db, to);
}

/** True when one learning was last said later than another; between equals, the later row counts as later. */
export function wasSaidLater(db: ReadableDb, one: string, other: string): boolean {
  const said = db.prepare<[object], { at: number; seq: number }>(`
    SELECT seq, coalesce((SELECT max(at) FROM chunk_learning JOIN capture_window ON capture_window.id = chunk WHERE chunk_learning.learning_id = :id), created_at) AS at
    FROM learning WHERE id = :id
  `);
  const [first, second] = [said.get({ id: one }), said.get({ id: other })];
  return first !== undefined && second !== undefined && (first.at - second.at || first.seq - second.seq) > 0;
}

/** When a learning was last said in a session, else when it was created. */
export function lastSaidAt(db: ReadableDb, { id, createdAt }: { id: string; createdAt: number }): number {
  return (
    db.value<number | null>(
      'SELECT max(at) FROM chunk_learning JOIN capture_window ON capture_window.id = chunk WHERE chunk_learning.learning_id = ?',
      id,
    ) ?? createdAt
  );
}

type Row = Omit<Chunk, 'learnings'> & { learnings: string };

const CHUNKS = `
  SELECT id, agent, transcript, session, signal, chunk_hash AS hash, payload ->> '$.span.start' AS spanStart, payload ->> '$.span.end' AS spanEnd, at, state,
         (SELECT json_group_array(learning_id) FROM chunk_learning WHERE chunk = capture_window.id) AS learnings
  FROM capture_window`;

const toChunk = (row: Row): Chunk => ({ ...row, learnings: readStrings(row.learnings) });

/** The moments of a transcript in order, with the learnings from each. */
export function chunksOfTranscript(db: ReadableDb, transcript: string): Chunk[] {
  return db.rows<Row>(`${CHUNKS} WHERE transcript = ? ORDER BY spanStart, id`, transcript).map(toChunk);
}

/** All moments a learning comes from, oldest first. */
export function chunksOfLearning(db: ReadableDb, learningId: string): Chunk[] {
  return db
    .rows<Row>(
      `${CHUNKS} WHERE id IN (SELECT chunk FROM chunk_learning WHERE learning_id = ?) ORDER BY at, id`,
      learningId,
    )
    .map(toChunk);
}
