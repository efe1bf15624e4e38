import type { ReadableDb, WritableDb } from '../db.ts';

export interface Occurrence {
  project: string;
  signature: string;
  session: string;
  key: string;
  at: number;
}

/** Counts a session in which it occurred, once, and returns the number of sessions so far. */
export function countOccurrence(db: WritableDb, occurrence: Occurrence): number {
  db.insert('OR IGNORE INTO recurrence (project, signature, session, key, at)', occurrence);
  const { project, signature } = occurrence;
  return db.count('SELECT count(*) FROM recurrence WHERE project = ? AND signature = ?', [
    project,
    signature,
  ]);
}

/** The moment that was released for it; null if none was. */
export function releasedKey(db: ReadableDb, { project, signature }: Occurrence): string | null {
  return (
    db.value<string>('SELECT key FROM recurrence WHERE project = ? AND signature = ? AND released = 1', [
      project,
      signature,
    ]) ?? null
  );
}

export function markReleased(db: WritableDb, { project, signature, session, key }: Occurrence): void {
  db.run('UPDATE recurrence SET released = 1, key = ? WHERE project = ? AND signature = ? AND session = ?', [
    key,
    project,
    signature,
    session,
  ]);
}

/** Deletes an occurrence that the person retracted. */
export function forgetOccurrence(db: WritableDb, key: string): void {
  db.run('DELETE FROM recurrence WHERE key = ?', key);
}
