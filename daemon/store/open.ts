import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { moveFile } from '../platform/files.ts';
import { fileStat } from '../platform/read-file.ts';
import { restoreBackup, soundBackups } from './backups.ts';
import { connect } from './connection.ts';
import type { WritableDb } from './db.ts';
import { migrate } from './migrate.ts';
import { ensureSearchIndex } from './search/words.ts';

interface OpenedStore {
  db: WritableDb;
  /** Messages for the person about how it was opened, e.g. that it was restored. */
  notices: string[];
  /** True when the database was gone and a backup could bring it back: a person decides. */
  isLost: boolean;
}

interface OpenOptions {
  /** True when something pointed to damage: the whole file is checked. */
  isSuspected?: boolean;
  /** True for the copy of a database that must not change. */
  isReadOnly?: boolean;
}

/** Opens the knowledge base, migrated and indexed. A damaged file is replaced by the newest sound backup. */
export function openStore(file: string, backups: string, options: OpenOptions = {}): OpenedStore {
  const opened = openSound(file, backups, options);
  if (!options.isReadOnly) return opened;
  opened.db.close();
  const db = connect(file, { readonly: true });
  db.health.note(new Database.SqliteError('the home is read-only', 'SQLITE_READONLY'));
  return { ...opened, db };
}

function openSound(file: string, backups: string, options: OpenOptions): OpenedStore {
  const isLost = (fileStat(file)?.size ?? 0) === 0 && soundBackups(backups).length > 0;
  try {
    return { db: openMigrated(file, backups, options), notices: [], isLost };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const aside = setAside(file);
    const [newest] = soundBackups(backups);
    if (newest) restoreBackup(newest, file);
    const origin = newest ? `was restored from the backup ${newest}` : 'started with an empty one';
    const db = openMigrated(file, backups, { ...options, isSuspected: false });
    return {
      db,
      isLost: false,
      notices: [
        `The database was damaged. It is kept as ${aside}; Reflect ${origin} and reads the notes again.`,
      ],
    };
  }
}

/** A store in memory: a new one, or a copy of one that was serialised. */
export function openMemoryStore(content: Buffer | ':memory:' = ':memory:'): WritableDb {
  const db = connect(content);
  migrate(db, null);
  ensureSearchIndex(db);
  return db;
}

function openMigrated(
  file: string,
  backups: string,
  { isSuspected = false, isReadOnly = false }: OpenOptions,
): WritableDb {
  const stoppedCleanly = !existsSync(`${file}-wal`); // SQLite removes it with the last connection
  const db = connect(file);
  try {
    if (isSuspected || !stoppedCleanly) refuseDamage(db);
    migrate(db, isReadOnly ? null : backups);
    ensureSearchIndex(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

class Damage extends Error {
  readonly code = 'SQLITE_CORRUPT';
}

/**
 * Checks the whole file, because damage in its middle would otherwise show during a recall. The check takes half a
 * second at 10 000 notes, so it runs only after an unclean stop; after a clean one a thread checks later.
 */
function refuseDamage(db: WritableDb): void {
  const found = db.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw new Damage(String(found));
}

const DAMAGE = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_CORRUPT_VTAB', 'SQLITE_CORRUPT_INDEX']);

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DAMAGE.has(String(error.code));
}

/** Renames the file with its write-ahead log, so that data may still be recovered from it. */
function setAside(file: string): string {
  const aside = `${file}.damaged-${new Date(statSync(file).mtimeMs).toISOString().replace(/[:.]/g, '-')}`;
  for (const companion of ['', '-wal', '-shm']) {
    if (existsSync(`${file}${companion}`)) moveFile(`${file}${companion}`, `${aside}${companion}`);
  }
  return aside;
}
