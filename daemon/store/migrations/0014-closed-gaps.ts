import type { Migration } from './migration.ts';

/** A closed gap is marked in its row, which archives include; before, it was a key of `meta`, which they do not. */
export const closedGaps: Migration = {
  version: 14,
  up: (db) =>
    db.exec(`
      ALTER TABLE gap ADD COLUMN closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1));
      UPDATE gap SET closed = 1
      WHERE at <= (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'gap-closed:' || gap.project || ' ' || gap.normalized);
      DELETE FROM meta WHERE key LIKE 'gap-closed:%';
    `),
};
