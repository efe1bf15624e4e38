import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const IN_MEMORY = '/dev/shm';
const ENOUGH = 4 * 1024 ** 3; // bytes

/**
 * The folder tests keep their files in: in memory where Linux has enough of it, else the usual one. On a disk, waiting
 * for each note to be written through took a fifth of the time. A folder that `TMPDIR` names is respected.
 */
export function temporaryFolder(): string {
  if (process.env['TMPDIR']) return process.env['TMPDIR'];
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize >= ENOUGH && runsPrograms(IN_MEMORY)) return IN_MEMORY;
  } catch {
    // Another system, or a container without it.
  }
  return tmpdir();
}

/** Containers often mount memory without the right to run what is in it, and tests write scripts. */
function runsPrograms(folder: string): boolean {
  const probe = mkdtempSync(path.join(folder, 'reflect-probe-'));
  try {
    const script = path.join(probe, 'script');
    writeFileSync(script, '', { mode: 0o700 });
    accessSync(script, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
