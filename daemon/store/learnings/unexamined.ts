import type { Note } from '#contract/entities.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import type { VectorTable } from '../search/vectors.ts';
import { NOTE } from '../columns.ts';

/** A live note that has not been compared with the others yet, or not since its words changed. */
export interface Unexamined {
  seq: number;
  id: string;
  shard: number;
  note: Note;
}

export function markUnexamined(db: WritableDb, seq: number): void {
  db.run('INSERT INTO unexamined (seq) VALUES (?) ON CONFLICT (seq) DO UPDATE SET by_rule = 0', seq);
}

export function isUnexamined(db: ReadableDb, seq: number): boolean {
  return db.has('SELECT 1 FROM unexamined WHERE seq = ?', seq);
}

export function markExamined(db: WritableDb, id: string): void {
  db.run('DELETE FROM unexamined WHERE seq = (SELECT seq FROM learning WHERE id = ?)', id);
}

export function markExaminedByRule(db: WritableDb, seqs: number[]): void {
  db.run('UPDATE unexamined SET by_rule = 1 WHERE seq IN (SELECT value FROM json_each(?))', [seqs]);
}

export interface LiveTitle {
  seq: number;
  shard: number;
  title: string;
}

/** The titles of the next live rows. */
export function liveTitles(db: ReadableDb, after: number, limit: number): LiveTitle[] {
  return db.rows<LiveTitle>(
    'SELECT seq, shard, title FROM learning WHERE seq > ? AND live = 1 ORDER BY seq LIMIT ?',
    [after, limit],
  );
}

/** True when at least this many titles wait to be compared. */
export function areManyByRule(db: ReadableDb, many: number): boolean {
  return db.has('SELECT 1 FROM unexamined WHERE by_rule = 0 LIMIT 1 OFFSET ?', many - 1);
}

type Row = Omit<Unexamined, 'note'> & { note: string };

/** Selects the row number before the note is read: in one join, SQLite would scan the notes instead. */
function read(db: ReadableDb, seq: number | undefined): Unexamined | null {
  const row =
    seq === undefined
      ? undefined
      : db.row<Row>('SELECT seq, id, shard, note FROM learning WHERE seq = ?', seq);
  return row ? { ...row, note: NOTE.read(row.note) } : null;
}

/** Drops notes that were retired since: there is nothing to compare. */
export function dropRetired(db: WritableDb): void {
  db.exec(
    'DELETE FROM unexamined WHERE seq IN (SELECT seq FROM unexamined JOIN learning USING (seq) WHERE live = 0)',
  );
}

/** The oldest note whose title has not been compared. */
export function nextByRule(db: ReadableDb): Unexamined | null {
  return read(db, db.value<number>('SELECT seq FROM unexamined WHERE by_rule = 0 ORDER BY seq LIMIT 1'));
}

/** The first row after this one with an up-to-date vector, so that one pass visits each row once. */
export function nextByMeaning(db: ReadableDb, { name }: VectorTable, after: number): Unexamined | null {
  return read(
    db,
    db.value<number>(
      `SELECT seq FROM unexamined WHERE seq > ? AND EXISTS (SELECT 1 FROM ${name} WHERE ${name}.seq = unexamined.seq AND fresh = 1) ORDER BY seq LIMIT 1`,
      after,
    ),
  );
}

export function countUnexamined(db: ReadableDb): number {
  return db.count('SELECT count(*) FROM unexamined');
}
