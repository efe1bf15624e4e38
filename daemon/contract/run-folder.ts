import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** True for a folder that exists and takes no file: its disk is mounted read-only, or its mode forbids it. */
export function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/**
 * The folder with a daemon's run file, lock and socket: `run` in its home. A read-only home gets one among the
 * temporary files, which others may write to; there it counts only if it is ours.
 */
export function runFolder(home: string): string {
  const usual = join(home, 'run');
  if (!isReadOnly(home)) return usual;
  const shelter = shelterOf(home);
  return [dirname(shelter), shelter].every(isOursOrMissing) ? shelter : usual;
}

/**
 * Where a read-only home has its run folder: the same for every program of this user. Its environment does not count:
 * `TMPDIR` differs between a shell and a service.
 */
export function shelterOf(home: string): string {
  // Loaded only here, because it would cost every hook some milliseconds.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16);
  const temporary = process.platform === 'win32' ? tmpdir() : '/tmp';
  return join(temporary, `reflect-${process.getuid?.() ?? 0}`, name);
}

function isOursOrMissing(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return true;
  return isOurFolder(found) && (process.platform === 'win32' || (found.mode & 0o077) === 0);
}

/** True for a folder of this user; a link to one does not count. */
export const isOurFolder = (found: Stats): boolean =>
  found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
