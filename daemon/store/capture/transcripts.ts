import { normalize, sep } from 'node:path';
import type { WatchedSource } from '#contract/capture.ts';
import type { ReadCounts, ReadPosition } from '../../platform/read-position.ts';
import type { ReadableDb, WritableDb } from '../db.ts';
import { getMeta, metaWith, setMeta } from '../meta.ts';

export function readPositions(db: ReadableDb): ReadPosition[] {
  return db.rows<ReadPosition>('SELECT agent, path, fingerprint, position, size FROM transcript');
}

/** Moves the read position. Call inside the transaction that stores what was read up to it. */
export function savePosition(db: WritableDb, at: ReadPosition, counts: ReadCounts): void {
  const unknown = db.value<string>('SELECT unknown FROM transcript WHERE path = ?', at.path);
  db.run(
    `INSERT INTO transcript (agent, path, fingerprint, position, size, records, bad_lines, unknown, last_event_at)
    VALUES (:agent, :path, :fingerprint, :position, :size, :records, :badLines, :unknown, :lastEventAt)
    ON CONFLICT (path) DO UPDATE SET agent = :agent, fingerprint = :fingerprint, position = :position, size = :size,
      records = records + :records, bad_lines = bad_lines + :badLines, unknown = :unknown, last_event_at = coalesce(:lastEventAt, last_event_at)`,
    {
      ...at,
      ...counts,
      unknown: JSON.stringify(
        addCounts(unknown ? (JSON.parse(unknown) as Record<string, number>) : {}, counts.unknown),
      ),
    },
  );
}

/** Notes that the file was checked for silence (SG3); it is checked again after it changes. */
export function markSwept(db: WritableDb, path: string, mtimeMs: number): void {
  db.run('UPDATE transcript SET swept_mtime = ? WHERE path = ?', [Math.floor(mtimeMs), path]);
}

export function sweptFiles(db: ReadableDb): Record<string, number> {
  const rows = db.rows<{ path: string; mtime: number }>(
    'SELECT path, swept_mtime AS mtime FROM transcript WHERE swept_mtime > 0',
  );
  return Object.fromEntries(rows.map(({ path, mtime }) => [path, mtime]));
}

export type AgentTotals = Omit<WatchedSource, 'folder' | 'present'>;

/** The transcripts below a folder, by the agent that wrote them. */
export function totalsBelow(db: ReadableDb, folder: string): AgentTotals[] {
  const first = normalize(folder + sep);
  const end = first.slice(0, -1) + String.fromCharCode(sep.charCodeAt(0) + 1);
  const rows = db.rows<Omit<AgentTotals, 'unknown'> & { unknown: string }>(
    `SELECT agent, count(*) AS files, sum(size) AS bytes, sum(position) AS bytesRead, sum(records) AS records, sum(bad_lines) AS badLines,
            json_group_array(json(unknown)) FILTER (WHERE unknown <> '{}') AS unknown, max(last_event_at) AS lastEventAt
     FROM transcript WHERE path > ? AND path < ? GROUP BY agent`,
    [first, end],
  );
  return rows.map((row) => ({
    ...row,
    unknown: (JSON.parse(row.unknown ?? '[]') as Array<Record<string, number>>).reduce(addCounts, {}),
  }));
}

function addCounts(to: Record<string, number>, more: Record<string, number>): Record<string, number> {
  const sum = { ...to };
  for (const [kind, count] of Object.entries(more)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

const READ_SINCE = 'agent-read-since:';
const NEVER = 'ignored';

/**
 * Since when the words of an agent count that was ignored before. What it wrote meanwhile stays out for good, although
 * its files are read again.
 */
export function agentsReadSince(
  db: WritableDb,
  ignored: ReadonlySet<string>,
  now: number,
): Record<string, number> {
  for (const agent of ignored) setMeta(db, `${READ_SINCE}${agent}`, NEVER);
  const before = metaWith(db, READ_SINCE).filter((agent) => !ignored.has(agent));
  for (const agent of before)
    if (getMeta(db, `${READ_SINCE}${agent}`) === NEVER) setMeta(db, `${READ_SINCE}${agent}`, String(now));
  return Object.fromEntries(before.map((agent) => [agent, Number(getMeta(db, `${READ_SINCE}${agent}`))]));
}
