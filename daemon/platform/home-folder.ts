import { chmodSync, mkdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

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
