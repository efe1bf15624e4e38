import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { claimFile, moveFile } from '../platform/files.ts';
import { fileStat } from '../platform/read-file.ts';
import { DAY } from '../platform/time.ts';
import type { Backup } from '#contract/backups.ts';
import { damageIn } from './damage.ts';
import { StoreDatabase } from './connection.ts';
import type { WritableDb } from './db.ts';

const KEPT = 5;

/** A consistent copy made by SQLite itself: copying a live file would tear it. */
export function backUp(db: WritableDb, folder: string, label: string, now = Date.now()): string {
  const file = copyTo(db, folder, label, now);
  removeOld(folder, now);
  return file;
}

/** Backs up before a migration. Of several attempts only the last is kept, so that no other backup is pushed out. */
export function backUpBefore(db: WritableDb, folder: string, version: number): void {
  const label = `before-${version}`;
  const now = Date.now();
  const earlier = listBackups(folder, now).filter((name) => labelOf(name) === label);
  const made = basename(copyTo(db, folder, label, now));
  for (const name of earlier) if (name !== made) rmSync(join(folder, name), { force: true });
  removeOld(folder, now);
}

function copyTo(db: WritableDb, folder: string, label: string, now: number): string {
  const file = backupFile(folder, label, now);
  db.run('VACUUM INTO ?', file);
  return file;
}

/** Backs up once a day; null when today's backup exists. One dated in the future does not count. */
export async function backUpDaily(db: WritableDb, folder: string, now: number): Promise<string | null> {
  return isBackupDue(folder, now) ? backUpNow(db, folder, 'daily', now) : null;
}

/** Also due once a backup was restored: the newest one then holds what the person did not want back. */
export function isBackupDue(folder: string, now: number): boolean {
  const [newest = ''] = listBackups(folder, now);
  return now - timeOf(newest, now) >= DAY || labelOf(newest) === 'before-restore';
}

/** Backs up page by page, so that nothing waits for it. */
export async function backUpNow(db: WritableDb, folder: string, label: string, now: number): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = pathOf(folder, label, now);
  // Each has a file of its own: a person may ask for a backup while the daily one is made.
  const unfinished = `${file}${UNFINISHED}`;
  rmSync(unfinished, { force: true });
  claimFile(unfinished);
  await db.backup(unfinished);
  leaveNoLog(unfinished);
  moveFile(unfinished, file);
  removeOld(folder, now);
  return file;
}

const UNFINISHED = '.tmp';

/** Writes a copy without a write-ahead log of its own, so that a look into it leaves no files beside it. */
function leaveNoLog(file: string): void {
  const copy = new Database(file);
  try {
    copy.pragma('journal_mode = DELETE');
  } finally {
    copy.close();
  }
}

const pathOf = (folder: string, label: string, now: number) =>
  join(folder, `reflect-${new Date(now).toISOString().replace(/[:.]/g, '-')}-${label}.db`);

/** Creates the file first, so that only its owner can read it from the first byte; SQLite accepts an empty file. */
function backupFile(folder: string, label: string, now: number): string {
  const file = pathOf(folder, label, now);
  rmSync(file, { force: true });
  claimFile(file);
  return file;
}

/** When a backup was made, by its name; 0 for a date in the future, which only a wrong clock can have given it. */
function timeOf(name: string, now: number): number {
  const [, date = '', hours = '', minutes = '', seconds = '', ms = ''] =
    name.match(/^reflect-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/) ?? [];
  const at = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${ms}Z`) || 0;
  return at > now + DAY ? 0 : at;
}

function removeOld(folder: string, now: number): void {
  for (const old of listBackups(folder, now).slice(KEPT)) rmSync(join(folder, old), { force: true });
  // A look into a backup of an earlier version left these behind.
  for (const name of readdirSync(folder))
    if (/^reflect-.+\.db-(?:wal|shm)$/.test(name) || isLeftOver(name, now))
      rmSync(join(folder, name), { force: true });
}

/** A backup that a day has not finished never will be. */
const isLeftOver = (name: string, now: number) => name.endsWith(UNFINISHED) && now - timeOf(name, now) >= DAY;

/** Backups without damage, newest first. */
export function soundBackups(folder: string, now = Date.now()): string[] {
  return listBackups(folder, now)
    .map((name) => join(folder, name))
    .filter((file) => contentsOf(file) !== null && damageIn(file) === null);
}

/** Every backup, newest first, with what is in it. */
export function describeBackups(folder: string, now: number): Backup[] {
  return listBackups(folder, now).map((name) => {
    const file = join(folder, name);
    const contents = contentsOf(file);
    return {
      name,
      madeAt: timeOf(name, now),
      why: labelOf(name),
      bytes: fileStat(file)?.size ?? 0,
      isReadable: contents !== null,
      learnings: contents?.learnings ?? 0,
      slots: contents?.slots ?? 0,
    };
  });
}

const labelOf = (name: string) => /Z-(.+)\.db$/.exec(name)?.[1] ?? '';

/** Counts the rows of a backup; null for a file that is none. Does not read all of it, as a check for damage does. */
function contentsOf(file: string): { learnings: number; slots: number } | null {
  try {
    const db = new StoreDatabase(file, { readonly: true });
    try {
      const isStore = db.pragma('user_version', { simple: true }) !== 0;
      const count = (table: string) => db.count(`SELECT count(*) FROM ${table}`);
      return isStore ? { learnings: count('learning'), slots: count('slot') } : null;
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

/** Restores all or nothing: a crash in the middle must not leave half a database, nor the log of another beside it. */
export function restoreBackup(backup: string, file: string): void {
  const temporary = `${file}.restoring`;
  copyFileSync(backup, temporary);
  for (const companion of ['-wal', '-shm']) rmSync(`${file}${companion}`, { force: true });
  moveFile(temporary, file);
}

function listBackups(folder: string, now: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return []; // no folder yet: nothing was ever backed up
  }
  return names
    .filter((name) => /^reflect-.*\.db$/.test(name))
    .toSorted((one, other) => timeOf(other, now) - timeOf(one, now) || (one < other ? 1 : -1));
}
