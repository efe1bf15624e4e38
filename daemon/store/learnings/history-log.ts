import type { HistoryEntry } from '#contract/outcomes.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { tokens } from '../../text/tokenise.ts';

type NewEntry = Pick<HistoryEntry, 'kind' | 'text'> & Partial<HistoryEntry>;

/** Appends an entry; entries are never changed or deleted. */
export function appendHistory(
  { db, now }: { db: WritableDb; now: () => number },
  { at = now(), project = '', session = '', ...said }: NewEntry,
): HistoryEntry {
  const entry = { at, project, session, ...said };
  const id = Number(
    db.insert('INTO history_entry (at, kind, project, session, text)', entry).lastInsertRowid,
  );
  db.changes.announce({ type: 'outcome.recorded' });
  return { id, ...entry };
}

/** The beginning of an entry that sums up a session. */
export const SUMMARY = 'Session: ';

/** The time up to which a session is summed up; -1 if it is not. */
export function lastSummaryAt(db: ReadableDb, session: string): number {
  return (
    db.value<number | null>(
      `SELECT max(at) FROM history_entry WHERE kind = 'event' AND session = ? AND text LIKE ? || '%'`,
      [session, SUMMARY],
    ) ?? -1
  );
}

/** Entries that contain all the words, newest first. */
export function searchHistory(
  db: ReadableDb,
  { query, project, limit }: { query: string; project?: string | undefined; limit: number },
): HistoryEntry[] {
  const words = tokens(query, '_./-');
  return db.rows<HistoryEntry>(
    `SELECT id, at, kind, project, session, text FROM history_entry
     WHERE (:project IS NULL OR project = :project)
       AND NOT EXISTS (SELECT 1 FROM json_each(:words) WHERE instr(lower(text), value) = 0)
     ORDER BY at DESC, id DESC LIMIT :limit`,
    { project, words, limit },
  );
}
