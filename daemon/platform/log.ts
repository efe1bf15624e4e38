import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { appendLine } from './rotating-file.ts';

export interface Log {
  info(message: string): void;
  error(message: string, error?: unknown): void;
}

/** Appends to `daemon.log` and rotates it by size, so that logs can never fill a disk. */
export function openLog(folder: string, options: { largestFile?: number; echo?: boolean } = {}): Log {
  const { largestFile, echo = false } = options;
  const file = join(folder, 'daemon.log');
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  function write(level: string, message: string): void {
    const entry = `${new Date().toISOString()} ${level} ${message}`;
    if (echo) process.stderr.write(`${entry}\n`);
    try {
      appendLine(file, entry, largestFile);
    } catch {
      // A full or read-only disk must not take the daemon down with its log; the terminal still gets the line.
      if (!echo) process.stderr.write(`${entry}\n`);
    }
  }

  return {
    info: (message) => write('info', message),
    error: (message, error) =>
      write('error', error === undefined ? message : `${message}: ${describe(error)}`),
  };
}

/** The same log, and `listener` hears every error written to it, whichever part it comes from. */
export const withErrorListener = (log: Log, listener: (error: unknown) => void): Log => ({
  info: (message) => log.info(message),
  error: (message, error) => {
    if (error !== undefined) listener(error);
    log.error(message, error);
  },
});

export const silentLog: Log = { info: () => {}, error: () => {} };

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
