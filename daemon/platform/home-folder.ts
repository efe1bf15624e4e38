import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from './files.ts';

const OTHERS = 0o077;
const OLD = 60_000; // ms; a file in the making is younger
/** The names `writeFileAtomic` gives to files in the making. */
const UNFINISHED = /\.\d+\.tmp$/;

/** Makes a folder that only its owner may enter, also where a shell made it for all to read. */
export function claimFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    chmodSync(folder, 0o777 & ~OTHERS);
  } catch {
    // Another user's folder, or a disk without modes; what matters is 0600 file by file.
  }
}

const RESERVE = 1_000_000; // bytes; a start needs less

/** Bytes that this user can still fill on the disk of a folder; no limit where the disk does not say. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

/**
 * Keeps some space of the disk for a start when it is full: the lock, the socket's file and SQLite's index of its log
 * then take the place of the reserve, and what is known can be read. Its bytes are drawn, so that no disk packs them.
 */
export function keepReserve(file: string, folder: string, free = freeBytes): void {
  try {
    if (free(folder) < RESERVE) rmSync(file, { force: true });
    else if (!existsSync(file) && free(folder) > 2 * RESERVE) writeFileAtomic(file, randomBytes(RESERVE));
  } catch {
    // a home that takes no file is reported when it is opened
  }
}

/** Removes files that a kill left half-written, below these folders. Returns how many. */
export async function removeUnfinished(folders: readonly string[], now: number): Promise<number> {
  let removed = 0;
  for (const folder of folders) {
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    for (const name of names.filter((each) => UNFINISHED.test(each))) {
      const file = join(folder, name);
      const found = await stat(file).catch(() => null);
      if (!found?.isFile() || now - found.mtimeMs < OLD) continue;
      await rm(file, { force: true });
      removed++;
    }
  }
  return removed;
}
