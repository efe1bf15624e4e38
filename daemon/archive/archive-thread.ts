import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { DaemonError } from '#contract/errors.ts';
import { replaceKnowledge } from '../store/archive/ingest.ts';
import { connect } from '../store/connection.ts';
import type { CheckedArchive } from './archive-parts.ts';
import { checkArchive } from './check-archive.ts';
import type { FromThread, Job } from './in-thread.ts';

// Reading and checking every row and file of an archive takes seconds, and so does writing them all at once; it runs in
// a thread of its own.
const stopping = new AbortController();
const post = (message: FromThread) => parentPort?.postMessage(message);
parentPort?.once('message', () => stopping.abort(new DaemonError('unreachable', 'Reflect was stopped')));

const REPORT_EVERY = 100; // ms
let reported = 0;
const report = (step: string, done: number, total: number) => {
  if (performance.now() - reported < REPORT_EVERY) return;
  reported = performance.now();
  post({ step, done, total });
};

function replace({ database, file, stage, version }: Extract<Job, { job: 'replace' }>['input']): boolean {
  const db = connect(database);
  try {
    return replaceKnowledge(db, file, stage, version);
  } finally {
    db.close();
  }
}

// ms; the longer the log grows, the longer a writer is blocked when it begins again: 45 ms with this, 270 with 2 s
const COPY_EVERY = 50;

async function checkpoint({ database }: Extract<Job, { job: 'checkpoint' }>['input']): Promise<null> {
  const db = connect(database);
  try {
    while (!stopping.signal.aborted) {
      db.pragma('wal_checkpoint(PASSIVE)');
      await setTimeout(COPY_EVERY, null, { signal: stopping.signal }).catch(() => {});
    }
    db.pragma('wal_checkpoint(PASSIVE)'); // the rest too, or the next writer would have to copy it
    return null;
  } finally {
    db.close();
  }
}

function perform(work: Job): Promise<CheckedArchive | null> | boolean {
  if (work.job === 'check') return checkArchive(work.input.path, work.input.folder, stopping.signal, report);
  return work.job === 'replace' ? replace(work.input) : checkpoint(work.input);
}

try {
  post({ done: await perform(workerData as Job) }); // set by in-thread.ts
} catch (error) {
  const refused = error instanceof DaemonError ? { code: error.code, detail: error.detail } : null;
  post({ refused, message: String(error) });
} finally {
  parentPort?.close();
}
