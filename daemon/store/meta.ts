import type { ReadableDb, WritableDb } from './db.ts';

/** True while a person has paused capture; a restart does not change it. */
export const PAUSED = 'capture-paused';

/** When Reflect was first started here; what was said before that is back-fill. */
const FIRST_START = 'first-start';

/** Set while a person has not decided what to restore after the database was lost. */
export const LOST = 'database-lost';

export function getMeta(db: ReadableDb, key: string): string | undefined {
  return db.value<string>('SELECT value FROM meta WHERE key = ?', key);
}

export function setMeta(db: WritableDb, key: string, value: string): void {
  db.insert('OR REPLACE INTO meta (key, value)', { key, value });
}

/** Adds to a counter that people see, such as redactions by kind. */
export function addToCounter(db: WritableDb, name: string, by: number): void {
  db.run(
    'INSERT INTO counter (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value',
    [name, by],
  );
}

const REDACTED = 'redacted:';

/** Adds to how many secrets of each kind were taken out, whichever way they came. */
export function countRedactions(db: WritableDb, counts: Readonly<Record<string, number>>): void {
  for (const [kind, times] of Object.entries(counts)) addToCounter(db, `${REDACTED}${kind}`, times);
}

export const redactionCounts = (db: ReadableDb): Record<string, number> => countersWith(db, REDACTED);

export function countersWith(db: ReadableDb, prefix: string): Record<string, number> {
  const rows = db.rows<{ name: string; value: number }>(
    'SELECT name, value FROM counter WHERE substr(name, 1, ?) = ?',
    [prefix.length, prefix],
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name.slice(prefix.length), value]));
}

/** The keys with this prefix, without it. */
export function metaWith(db: ReadableDb, prefix: string): string[] {
  return db.values<string>(`SELECT substr(key, ?) FROM meta WHERE key LIKE ? || '%'`, [
    prefix.length + 1,
    prefix,
  ]);
}

/** When Reflect was first started on this store; long ago for a store that read transcripts before this was kept. */
export function firstStart(db: WritableDb, now: number): number {
  const known = getMeta(db, FIRST_START);
  if (known !== undefined) return Number(known);
  const isNew = !db.has('SELECT 1 FROM transcript LIMIT 1');
  db.health.tolerate(() => setMeta(db, FIRST_START, String(isNew ? now : 0)));
  return isNew ? now : 0;
}
