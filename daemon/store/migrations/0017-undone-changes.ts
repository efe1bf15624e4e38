import type { Migration } from './migration.ts';

/**
 * SQLite looks for changes that refer to a deleted one. Without an index that took minutes when an import replaced 10
 * 000 notes.
 */
export const undoneChanges: Migration = {
  version: 17,
  up: (db) => db.exec('CREATE INDEX change_by_undo ON change(undone_by) WHERE undone_by IS NOT NULL'),
};
