import { spreadOf } from '../../platform/spread.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { readStrings } from '../persisted-json.ts';

interface LoggedRecall {
  at: number;
  query: string;
  project: string;
  session: string;
  ms: number;
  ids: string[];
}

const FOLLOW_UP = 30_000; // ms

/**
 * Logs a recall. A different question of the same session right after, with no common result, means the first did not
 * help (A4).
 */
export function logRecall(db: WritableDb, recall: LoggedRecall, noticeFollowUp: boolean): void {
  const before =
    noticeFollowUp && recall.session && recall.ids.length > 0
      ? lastOf(db, recall.session, recall.at - FOLLOW_UP)
      : undefined;
  const followUp =
    before !== undefined &&
    before.query !== recall.query &&
    before.ids.length > 0 &&
    !before.ids.some((id) => recall.ids.includes(id));
  db.insert('INTO recall_log (at, query, project, session, ms, ids, follow_up)', { ...recall, followUp });
}

function lastOf(
  db: ReadableDb,
  session: string,
  since: number,
): { query: string; ids: string[] } | undefined {
  const row = db.row<{ query: string; ids: string }>(
    'SELECT query, ids FROM recall_log WHERE session = ? AND at >= ? ORDER BY id DESC LIMIT 1',
    [session, since],
  );
  return row && { query: row.query, ids: readStrings(row.ids) };
}

/** The share of recalls that were followed by a rephrased one. */
export function followUpRate(db: ReadableDb): number {
  return (
    db.value<number | null>(`SELECT avg(follow_up) FROM recall_log WHERE session <> '' AND ids <> '[]'`) ?? 0
  );
}

const WINDOW = 200; // recalls; only the newest show the current quality

export function recallSpeed(db: ReadableDb): { count: number; p50Ms: number; p95Ms: number } {
  const times = db.values<number>('SELECT ms FROM recall_log ORDER BY id DESC LIMIT ?', WINDOW);
  const count = db.count('SELECT count(*) FROM recall_log');
  return { count, ...spreadOf(times) };
}
