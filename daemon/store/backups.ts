import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { claimFile } from '../platform/files.ts';
import type { WritableDb } from './db.ts';
import { DAY } from '../platform/time.ts';

const KEPT = 5;

/** A consistent copy made by SQLite itself: copying a live file would tear it. */
export function backUp(db: WritableDb, folder: string, label: string, now = Date.now()): string {
  const file = backupFile(folder, label, now);
  db.prepare('VACUUM INTO ?').run(file);
  removeOld(folder);
  return file;
}

/** Backs up once a day, page by page, so that nothing waits for it; null when today's backup exists. */
export async function backUpDaily(db: WritableDb, folder: string, now: number): Promise<string | null> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const newest = listBackups(folder).map(madeAt).at(0) ?? 0;
  if (now - newest < DAY) return null;
  const unfinished = join(folder, 'unfinished.tmp');
  rmSync(unfinished, { force: true });
  claimFile(unfinished);
  await db.backup(unfinished);
  const file = backupFile(folder, 'daily', now);
  renameSync(unfinished, file);
  removeOld(folder);
  return file;
}

/** Creates the file first, so that only its owner can read it from the first byte; SQLite accepts an empty file. */
function backupFile(folder: string, label: string, now: number): string {
  const file = join(folder, `reflect-${new Date(now).toISOString().replace(/[:.]/g, '-')}-${label}.db`);
  rmSync(file, { force: true });
  claimFile(file);
  return file;
}

function madeAt(name: string): number {
  const [, date = '', hours = '', minutes = ''] =
    name.match(/^reflect-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)/) ?? [];
  return Date.parse(`${date}T${hours}:${minutes}Z`) || 0;
}

function removeOld(folder: string): void {
  for (const old of listBackups(folder).slice(KEPT)) rmSync(join(folder, old), { force: true });
}

/** Backups that can be read, newest first. */
export function soundBackups(folder: string): string[] {
  return listBackups(folder)
    .map((name) => join(folder, name))
    .filter(isSound);
}

function isSound(file: string): boolean {
  try {
    const db = new Database(file, { readonly: true });
    try {
      return (
        db.pragma('quick_check(1)', { simple: true }) === 'ok' &&
        db.pragma('user_version', { simple: true }) !== 0
      );
    } finally {
      db.close();
    }
  } catch {
    return false; // as damaged as the file it should replace; an older one may be sound
  }
}

/** Restores all or nothing: a crash in the middle must not leave half a database. */
export function restoreBackup(backup: string, file: string): void {
  const temporary = `${file}.restoring`;
  copyFileSync(backup, temporary);
  renameSync(temporary, file);
}

function listBackups(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^reflect-.*\.db$/.test(name))
      .toSorted()
      .toReversed();
  } catch {
    return []; // no folder yet: nothing was ever backed up
  }
}
