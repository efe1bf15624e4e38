import type { Worker } from 'node:worker_threads';

/**
 * Waits for a thread that was asked to end; true once it has. A thread that takes too long is left to end with the
 * process: terminating one while native code works in it (SQLite, onnxruntime) can crash us all, and unreferenced it
 * keeps nobody.
 */
export function threadEnd(worker: Worker, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => {
      worker.unref();
      resolve(false);
    }, timeoutMs);
    worker.once('exit', () => {
      clearTimeout(timeout);
      resolve(true);
    });
  });
}
