import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import * as sqliteVec from 'sqlite-vec';
import { restoreNewestBackup } from './backups.ts';
import { migrate } from './migrate.ts';
import { ensureSearchIndex } from './search-index.ts';

// A function that takes a ReadableDb promises not to write; its signature says so before its body does.
export type ReadableDb = Pick<Database.Database, 'prepare'>;
export type WritableDb = Database.Database;

export interface OpenedStore {
  db: WritableDb;
  /** What a person must be told about how it was opened, e.g. that it was restored. */
  notices: string[];
}

/** Opens the knowledge base, migrated and indexed. A damaged file is kept aside and the newest backup put in its place. */
export function openStore(file: string, backups: string): OpenedStore {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    return { db: openMigrated(file, backups), notices: [] };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const aside = setAside(file);
    const from = restoreNewestBackup(backups, file);
    const origin = from ? `restored from the backup ${from}` : 'started anew';
    const db = openMigrated(file, backups);
    return { db, notices: [`The database was damaged. It is kept as ${aside}; Reflect ${origin} and reads the notes again.`] };
  }
}

export function openMemoryStore(): WritableDb {
  const db = connect(':memory:');
  migrate(db, null);
  ensureSearchIndex(db);
  return db;
}

function openMigrated(file: string, backups: string): WritableDb {
  const db = connect(file);
  try {
    migrate(db, backups);
    ensureSearchIndex(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export function connect(file: string): WritableDb {
  const db = new Database(file);
  // A packed app keeps native libraries beside the archive, where the loader of the system can open them.
  db.loadExtension(sqliteVec.getLoadablePath().replace('app.asar', 'app.asar.unpacked'));
  db.pragma('busy_timeout = 5000');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL'); // WAL keeps the file sound; FULL would cost an fsync per recall logged
  db.pragma('foreign_keys = ON');
  db.pragma('cache_size = -32000'); // KiB
  return db;
}

const DAMAGE = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_CORRUPT_VTAB', 'SQLITE_CORRUPT_INDEX']);

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DAMAGE.has(String(error.code));
}

function setAside(file: string): string {
  const aside = `${file}.damaged-${Math.round(statSync(file).mtimeMs)}`;
  renameSync(file, aside);
  for (const companion of ['-wal', '-shm']) rmSync(`${file}${companion}`, { force: true });
  return aside;
}
