import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Log {
  info(message: string): void;
  error(message: string, error?: unknown): void;
}

const LARGEST_FILE = 5 * 1024 * 1024; // bytes
const FILES_KEPT = 3;

/** Appends to `daemon.log` and rotates it by size, so that logs can never fill a disk. */
export function openLog(folder: string, options: { largestFile?: number; echo?: boolean } = {}): Log {
  const { largestFile = LARGEST_FILE, echo = false } = options;
  const file = join(folder, 'daemon.log');
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  function write(level: string, message: string): void {
    const entry = `${new Date().toISOString()} ${level} ${message}\n`;
    if (echo) process.stderr.write(entry);
    try {
      if (sizeOf(file) + Buffer.byteLength(entry) > largestFile) rotate(file);
      appendFileSync(file, entry, { mode: 0o600 });
    } catch {
      // A full or read-only disk must not take the daemon down with its log; the terminal still gets the line.
      if (!echo) process.stderr.write(entry);
    }
  }

  return {
    info: (message) => write('info', message),
    error: (message, error) => write('error', error === undefined ? message : `${message}: ${describe(error)}`),
  };
}

export const silentLog: Log = { info: () => {}, error: () => {} };

function rotate(file: string): void {
  rmSync(`${file}.${FILES_KEPT}`, { force: true });
  for (let number = FILES_KEPT - 1; number >= 1; number--) moveIfThere(`${file}.${number}`, `${file}.${number + 1}`);
  moveIfThere(file, `${file}.1`);
}

function moveIfThere(from: string, to: string): void {
  if (sizeOf(from) > 0) renameSync(from, to);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
