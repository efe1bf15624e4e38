import { Worker } from 'node:worker_threads';
import { DaemonError, type ErrorCode } from '#contract/errors.ts';
import type { ArchiveParts } from './archive-parts.ts';
import type { CheckedArchive } from './check-archive.ts';

const BUILT = !import.meta.url.endsWith('.ts');
const THREAD = new URL(BUILT ? './archive-worker.js' : './check-thread.ts', import.meta.url);

export interface CheckRequest {
  path: string;
  folder: string;
}

export type FromThread =
  | { step: string; done: number; total: number }
  | { checked: CheckedArchive }
  | { refused: { code: ErrorCode; detail: string | undefined } | null; message: string };

/** Checks an archive while everything else goes on. */
export const checkInThread: NonNullable<ArchiveParts['check']> = (path, folder, signal, tell) =>
  new Promise((resolve, reject) => {
    const workerData: CheckRequest = { path, folder };
    const thread = new Worker(THREAD, { workerData, execArgv: [], name: 'archive-check' });
    // It ends by itself between two steps: ending it from outside can end the process.
    const stop = () => thread.postMessage('stop');
    signal.addEventListener('abort', stop, { once: true });
    thread.on('message', (message: FromThread) => {
      if ('step' in message) tell(message.step, message.done, message.total);
      else if ('checked' in message) resolve(message.checked);
      else
        reject(
          message.refused
            ? new DaemonError(message.refused.code, message.refused.detail)
            : new Error(message.message),
        );
    });
    thread.once('error', reject);
    thread.once('exit', () => {
      signal.removeEventListener('abort', stop);
      reject(new Error('the check of the archive ended early')); // after an answer this does nothing
    });
  });
