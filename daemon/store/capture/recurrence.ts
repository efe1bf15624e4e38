import type { ReadableDb, WritableDb } from '../db.ts';

export interface Occurrence {
  project: string;
  signature: string;
  session: string;
  key: string;
  at: number;
}

/** Counts a session that met it, once, and tells in how many it was met so far. */
export function countOccurrence(db: WritableDb, occurrence: Occurrence): number {
  db.prepare(
    'INSERT OR IGNORE INTO recurrence (project, signature, session, key, at) VALUES (:project, :signature, :session, :key, :at)',
  ).run(occurrence);
  const { project, signature } = occurrence;
  return db
    .prepare<[string, string], number>('SELECT count(*) FROM recurrence WHERE project = ? AND signature = ?')
    .pluck()
    .get(project, signature) as number;
}

/** The moment that was let through for it, if one was. */
export function releasedKey(db: ReadableDb, { project, signature }: Occurrence): string | null {
  return (
    (db
      .prepare<[string, string], string>(
        'SELECT key FROM recurrence WHERE project = ? AND signature = ? AND released = 1',
      )
      .pluck()
      .get(project, signature) as string | undefined) ?? null
  );
}

export function markReleased(db: WritableDb, { project, signature, session, key }: Occurrence): void {
  db.prepare(
    'UPDATE recurrence SET released = 1, key = ? WHERE project = ? AND signature = ? AND session = ?',
  ).run(key, project, signature, session);
}

/** The person took it back: it was never met. */
export function forgetOccurrence(db: WritableDb, key: string): void {
  db.prepare('DELETE FROM recurrence WHERE key = ?').run(key);
}
