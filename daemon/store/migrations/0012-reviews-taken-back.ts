import type { Migration } from './migration.ts';

/** A review can be undone: it stays visible, no longer counts, and has the quality change it made. */
export const reviewsTakenBack: Migration = {
  version: 12,
  up: (db) =>
    db.exec(`
      ALTER TABLE review ADD COLUMN quality_step INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE review ADD COLUMN taken_back_at INTEGER;
    `),
};
