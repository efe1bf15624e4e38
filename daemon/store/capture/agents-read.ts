import type { WritableDb } from '../db.ts';
import { getMeta, metaWith, setMeta } from '../meta.ts';

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
