import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file completely or not at all: until it is done, the old content stays. */
export function writeFileAtomic(file: string, content: string | Uint8Array, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeThrough(temporary, typeof content === 'string' ? Buffer.from(content) : content, mode);
    moveFile(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Windows refuses while another program has the file open, as a virus scanner has every new file for a moment. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);
const MOVE_TRIES = 9;

/** Renames a file or folder over what is there. On Windows it tries again for half a second. */
export function moveFile(from: string, to: string, system = process.platform, rename = renameSync): void {
  for (let attempt = 1; ; attempt++) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      const isHeld = error instanceof Error && 'code' in error && HELD.has(String(error.code));
      if (system !== 'win32' || !isHeld || attempt === MOVE_TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 ** attempt); // ms
    }
  }
}

function writeThrough(file: string, bytes: Uint8Array, mode: number): void {
  const descriptor = openSync(file, 'w', mode);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates the file readable by its owner only, for libraries that would create it readable by all. */
export function claimFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

/** Writes a file and waits until the disk has it, without holding up other work. */
export async function writeDurably(path: string, content: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waits until the disk has a file that was written before. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
