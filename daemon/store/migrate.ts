import { DaemonError } from '#contract/errors.ts';
import { backUpBefore } from './backups.ts';
import { connect } from './connection.ts';
import type { WritableDb } from './db.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';

/** Migrates the store to the newest version; a store with data is backed up first and checked afterwards. */
export function migrate(
  db: WritableDb,
  backups: string | null,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  const from = versionOf(db);
  const to = migrations.length;
  if (from > to) {
    throw new DaemonError(
      'conflict',
      `the knowledge base is from a newer Reflect (version ${from}, this one knows ${to})`,
    );
  }
  if (from === to) return;
  if (from > 0 && backups) backUpBefore(db, backups, to);
  for (const { version, up } of migrations.slice(from)) {
    db.transaction(() => {
      up(db);
      db.pragma(`user_version = ${version}`); // same transaction: a crash cannot separate them
    })();
  }
  verify(db, to);
}

/** Checks the result through a new connection, as the next start will. */
function verify(db: WritableDb, version: number): void {
  const reopened = db.memory ? db : connect(db.name);
  try {
    const problems = reopened.pragma('quick_check', { simple: true });
    const strays = reopened.pragma('foreign_key_check') as unknown[];
    if (problems !== 'ok' || strays.length > 0 || versionOf(reopened) !== version) {
      throw new DaemonError(
        'internal',
        `the migration to version ${version} left the store unsound; the backup is untouched`,
      );
    }
  } finally {
    if (reopened !== db) reopened.close();
  }
}

function versionOf(db: WritableDb): number {
  return db.pragma('user_version', { simple: true }) as number; // always an integer
}
