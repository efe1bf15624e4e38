import Database from 'better-sqlite3';
import { addVectorFunctions } from './search/vector-functions.ts';
import { messageOf } from '#contract/errors.ts';

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
