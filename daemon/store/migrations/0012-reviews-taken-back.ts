import type { Migration } from '../migrate.ts';

/** A review can be taken back: it stays to be seen, counts no longer, and knows what it had done to the quality. */
export const reviewsTakenBack: Migration = {
  version: 12,
  up: (db) =>
    db.exec(`
      ALTER TABLE review ADD COLUMN quality_step INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE review ADD COLUMN taken_back_at INTEGER;
    `),
};
