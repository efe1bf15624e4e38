import { DaemonError } from '#contract/errors.ts';
import { backUp } from './backups.ts';
import type { WritableDb } from './db.ts';
import { MIGRATIONS } from './migrations/index.ts';

export interface Migration {
  version: number;
  up(db: WritableDb): void;
}

/** Brings the store to the newest version; one with data in it is backed up first and checked afterwards. */
export function migrate(db: WritableDb, backups: string | null, to = MIGRATIONS.length): void {
  const from = versionOf(db);
  if (from > MIGRATIONS.length) {
    throw new DaemonError('conflict', `the knowledge base is from a newer Reflect (version ${from}, this one knows ${MIGRATIONS.length})`);
  }
  if (from >= to) return;
  if (from > 0 && backups) backUp(db, backups, `before-${to}`);
  for (const { version, up } of MIGRATIONS.slice(from, to)) {
    db.transaction(() => {
      up(db);
      db.pragma(`user_version = ${version}`); // same transaction: a crash cannot separate them
    })();
  }
  verify(db, to);
}

function verify(db: WritableDb, version: number): void {
  const problems = db.pragma('quick_check', { simple: true });
  const strays = db.pragma('foreign_key_check') as unknown[];
  if (problems !== 'ok' || strays.length > 0 || versionOf(db) !== version) {
    throw new DaemonError('internal', `the migration to version ${version} left the store unsound; the backup is untouched`);
  }
}

function versionOf(db: WritableDb): number {
  return db.pragma('user_version', { simple: true }) as number; // always an integer
}
