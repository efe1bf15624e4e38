import { DAY } from '../platform/time.ts';
import type { WritableDb } from './db.ts';
import { BLANK_MOMENT } from './erase/rows.ts';

/** How long logs are kept. Knowledge and its history are not logs and are never pruned. */
const KEPT = { recalls: { days: 90, rows: 100_000 }, uses: { days: 365, rows: 200_000 } };

/**
 * Deletes old logs of recalls, injections and live sessions, and the words of moments that led to nothing, so that
 * years of sessions do not fill a disk. Returns the number of rows.
 */
export function pruneLogs(db: WritableDb, now: number, { recalls, uses } = KEPT): number {
  const bounds = ({ days, rows }: typeof recalls) => ({ before: now - days * DAY, rows });
  const droppedRecalls = db.run(
    'DELETE FROM recall_log WHERE at < :before OR id <= (SELECT max(id) FROM recall_log) - :rows',
    bounds(recalls),
  ).changes;
  const droppedUses = db.run(
    `DELETE FROM session_use WHERE at < max(:before, coalesce((SELECT at FROM session_use ORDER BY at DESC LIMIT 1 OFFSET :rows - 1), 0))`,
    bounds(uses),
  ).changes;
  const droppedSessions = db.run('DELETE FROM live_session WHERE at < :before', {
    before: now - uses.days * DAY,
  }).changes;
  const droppedTitles = db.run('DELETE FROM known_session WHERE seen_at < :before AND titled_at <> 0', {
    before: now - uses.days * DAY,
  }).changes;
  const blankedMoments = db.run(
    `${BLANK_MOMENT} WHERE at < :before AND state IN ('dismissed', 'failed') AND signal <> '' AND learning_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM chunk_learning WHERE chunk = capture_window.id)`,
    { before: now - uses.days * DAY },
  ).changes;
  return droppedRecalls + droppedUses + droppedSessions + droppedTitles + blankedMoments;
}
