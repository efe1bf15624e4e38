import Database from 'better-sqlite3';
import * as sqliteVec from 'sqlite-vec';
import { claimFile } from '../platform/files.ts';
import type { WritableDb } from './db.ts';

export function connect(file: string): WritableDb {
  if (file !== ':memory:') claimFile(file); // SQLite would create it readable by all
  const db = new Database(file);
  // A packed app keeps native libraries beside the archive, where the loader of the system can open them.
  db.loadExtension(sqliteVec.getLoadablePath().replace('app.asar', 'app.asar.unpacked'));
  db.pragma('busy_timeout = 5000');
  try {
    db.pragma('journal_mode = WAL');
  } catch (error) {
    db.close(); // no database at all; on Windows an open file could not be set aside
    throw error;
  }
  db.pragma('synchronous = NORMAL'); // WAL keeps the file sound; FULL would cost an fsync per recall logged
  db.pragma('foreign_keys = ON');
  db.pragma('cache_size = -16000'); // KiB
  rememberStatements(db);
  return db;
}

const MOST_STATEMENTS = 500;

/**
 * Compiling a statement costs as much as running a small one, and each keeps native memory until it is collected: one
 * compiled once serves every call. A statement keeps its mode, so one text is used either plucked or whole, never both.
 */
function rememberStatements(db: WritableDb): void {
  const compile = db.prepare.bind(db);
  const known = new Map<string, Database.Statement>();
  db.prepare = ((sql: string) => {
    const found = known.get(sql);
    if (found && !found.busy) return found;
    const statement = compile(sql);
    if (known.size >= MOST_STATEMENTS) known.delete(known.keys().next().value ?? '');
    known.set(sql, statement);
    return statement;
  }) as typeof db.prepare; // the same signature, whatever the types of the parameters
}
