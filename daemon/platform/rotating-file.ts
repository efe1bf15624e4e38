import { appendFileSync, rmSync, statSync } from 'node:fs';
import { moveFile } from './files.ts';

const LARGEST_FILE = 5 * 1024 * 1024; // bytes
const FILES_KEPT = 3;

/** Appends a line and rotates the file by its size, so that it can never fill a disk. */
export function appendLine(file: string, line: string, largestFile = LARGEST_FILE): void {
  const entry = `${line}\n`;
  if (sizeOf(file) + Buffer.byteLength(entry) > largestFile) rotate(file);
  appendFileSync(file, entry, { mode: 0o600 });
}

function rotate(file: string): void {
  rmSync(`${file}.${FILES_KEPT}`, { force: true });
  for (let number = FILES_KEPT - 1; number >= 1; number--)
    moveIfThere(`${file}.${number}`, `${file}.${number + 1}`);
  moveIfThere(file, `${file}.1`);
}

function moveIfThere(from: string, to: string): void {
  if (sizeOf(from) > 0) moveFile(from, to);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
