import { Worker } from 'node:worker_threads';
import { DaemonError, type ErrorCode } from '#contract/errors.ts';
import type { WritableDb } from '../store/db.ts';
import type { ArchiveParts, CheckedArchive, ReportProgress } from './archive-parts.ts';

const BUILT = !import.meta.url.endsWith('.ts');
const THREAD = new URL(BUILT ? './archive-worker.js' : './archive-thread.ts', import.meta.url);

/** Work for the thread, and its answer. */
interface Jobs {
  check: { input: { path: string; folder: string }; done: CheckedArchive };
  replace: {
    input: { database: string; file: string; stage: string; version: number | null };
    done: boolean;
  };
  checkpoint: { input: { database: string }; done: null };
}
export type Job = { [J in keyof Jobs]: { job: J; input: Jobs[J]['input'] } }[keyof Jobs];

export type FromThread =
  | { step: string; done: number; total: number }
  | { done: Jobs[keyof Jobs]['done'] }
  | { refused: { code: ErrorCode; detail: string | undefined } | null; message: string };

/** Checks an archive while everything else goes on. */
export const checkInThread: NonNullable<ArchiveParts['check']> = (path, folder, signal, report) =>
  inThread('check', { path, folder }, signal, report);

const WAIT_WHILE_REPLACED = 20; // ms; writers are refused meanwhile, because waiting would block everyone
const WAIT = 5_000; // ms, as every connection is opened
const PAGES = 1_000; // of the log that a writer copies, SQLite's default

/** Replaces all knowledge while everybody goes on reading what was there before. */
export const replaceInThread: NonNullable<ArchiveParts['replace']> = async (db, file, stage, version) => {
  db.pragma(`busy_timeout = ${WAIT_WHILE_REPLACED}`);
  try {
    const input = { database: db.name, file, stage, version };
    return await inThread('replace', input, new AbortController().signal, () => {});
  } finally {
    db.pragma(`busy_timeout = ${WAIT}`);
    db.readAnew();
  }
};

/**
 * Does work that writes a lot, while a thread copies the write-ahead log into the database: that waits for the disk,
 * for hundreds of milliseconds at times, and everybody with it.
 */
export async function withCheckpoints<T>(db: WritableDb, work: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const copying = inThread('checkpoint', { database: db.name }, done.signal, () => {});
  copying.catch(() => {}); // the log is copied later
  db.pragma('wal_autocheckpoint = 0');
  try {
    return await work();
  } finally {
    done.abort();
    await copying.catch(() => {});
    db.pragma(`wal_autocheckpoint = ${PAGES}`);
  }
}

function inThread<J extends keyof Jobs>(
  job: J,
  input: Jobs[J]['input'],
  signal: AbortSignal,
  report: ReportProgress,
): Promise<Jobs[J]['done']> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(THREAD, { workerData: { job, input }, execArgv: [], name: `archive-${job}` });
    // It ends by itself between two steps: ending it from outside can end the process.
    const stop = () => thread.postMessage('stop');
    signal.addEventListener('abort', stop, { once: true });
    thread.on('message', (message: FromThread) => {
      if ('step' in message) report(message.step, message.done, message.total);
      else if ('refused' in message)
        reject(
          message.refused
            ? new DaemonError(message.refused.code, message.refused.detail)
            : new Error(message.message),
        );
      else resolve(message.done); // the thread answers its own job
    });
    thread.once('error', reject);
    thread.once('exit', () => {
      signal.removeEventListener('abort', stop);
      reject(new Error('the work on the archive ended early')); // after an answer this does nothing
    });
  });
}
