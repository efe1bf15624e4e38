import { Worker } from 'node:worker_threads';

const BUILT = !import.meta.url.endsWith('.ts');
const THREAD = new URL(BUILT ? './check-worker.js' : './check-thread.ts', import.meta.url);

/** Checks a whole database file while everything else goes on; null when it is sound. */
export function findDamage(file: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(THREAD, { workerData: file, execArgv: [], name: 'database-check' });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the check of the database ended early'))); // after an answer this does nothing
  });
}
