import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { messageOf } from '#contract/errors.ts';
import { addVectorFunctions } from './search/vector-functions.ts';

/** The first damage in a database file, in SQLite's words; null when it is sound. Writes nothing. */
export function damageIn(file: string): string | null {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    try {
      addVectorFunctions(db);
      const found = db.pragma('quick_check(1)', { simple: true });
      return found === 'ok' ? null : String(found);
    } finally {
      db.close();
    }
  } catch (error) {
    return messageOf(error);
  }
}

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
