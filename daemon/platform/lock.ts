import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { RunFile } from '#contract/run-file.ts';
import { claimFile, writeFileAtomic } from './files.ts';
import { readText } from './read-file.ts';

/**
 * The lock of a home. The kernel drops it with the process, so it cannot go stale, however the holder died and whoever
 * has its process id now. SQLite offers such a lock on every system, and we ship it anyway.
 */
export function takeLock(file: string): { release(): void } | null {
  claimFile(file);
  const lock = new Database(file, { timeout: 0 });
  try {
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
    return { release: () => lock.close() };
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))
      return null;
    throw error;
  }
}

export function writeRunFile(file: string, run: RunFile): void {
  writeFileAtomic(file, `${JSON.stringify(run, null, 2)}\n`, 0o600);
}

export function removeRunFile(file: string): void {
  rmSync(file, { force: true });
}

/** The running daemon; null when the file is missing or invalid. */
export function readRunFile(file: string): RunFile | null {
  try {
    return RunFile.parse(JSON.parse(readText(file)));
  } catch {
    return null;
  }
}
