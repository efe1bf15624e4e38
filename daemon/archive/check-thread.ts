import { parentPort, workerData } from 'node:worker_threads';
import { DaemonError } from '#contract/errors.ts';
import { checkArchive } from './check-archive.ts';
import type { CheckRequest, FromThread } from './check-in-thread.ts';

// Reading and checking every row and file of an archive takes seconds, so it runs in a thread of its own.
const { path, folder } = workerData as CheckRequest; // set by check-in-thread.ts
const stopping = new AbortController();
const post = (message: FromThread) => parentPort?.postMessage(message);
parentPort?.once('message', () => stopping.abort(new DaemonError('unreachable', 'Reflect was stopped')));

const REPORT_EVERY = 100; // ms
let reported = 0;
const tell = (step: string, done: number, total: number) => {
  if (performance.now() - reported < REPORT_EVERY) return;
  reported = performance.now();
  post({ step, done, total });
};

try {
  post({ checked: await checkArchive(path, folder, stopping.signal, tell) });
} catch (error) {
  const refused = error instanceof DaemonError ? { code: error.code, detail: error.detail } : null;
  post({ refused, message: String(error) });
} finally {
  parentPort?.close();
}
