import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { WritableDb } from './db.ts';

const KEPT = 5;

/** A consistent copy made by SQLite itself: copying a live file would tear it. */
export function backUp(db: WritableDb, folder: string, label: string, now = Date.now()): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-');
  const file = join(folder, `reflect-${stamp}-${label}.db`);
  db.prepare('VACUUM INTO ?').run(file);
  for (const old of listBackups(folder).slice(KEPT)) rmSync(join(folder, old), { force: true });
  return file;
}

export function restoreNewestBackup(folder: string, file: string): string | null {
  const [newest] = listBackups(folder);
  if (!newest) return null;
  copyFileSync(join(folder, newest), file);
  return newest;
}

function listBackups(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^reflect-.*\.db$/.test(name)).toSorted().toReversed();
  } catch {
    return []; // no folder yet: nothing was ever backed up
  }
}
