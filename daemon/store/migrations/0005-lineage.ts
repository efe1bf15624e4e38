import type { Migration } from './migration.ts';

/** The chunks each learning was made from or confirmed by; a merged learning has several. */
export const lineage: Migration = {
  version: 5,
  up: (db) =>
    db.exec(`
      -- A chunk is a window; its transcript and bytes stand in its row.
      CREATE TABLE chunk_learning (
        chunk       INTEGER NOT NULL REFERENCES capture_window(id) ON DELETE CASCADE,
        learning_id TEXT    NOT NULL REFERENCES learning(id) ON DELETE CASCADE,
        PRIMARY KEY (chunk, learning_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX chunk_learning_by_learning ON chunk_learning(learning_id);
      CREATE INDEX window_by_transcript ON capture_window(transcript);
      CREATE INDEX window_by_learning ON capture_window(learning_id) WHERE learning_id IS NOT NULL;

      INSERT INTO chunk_learning (chunk, learning_id)
      SELECT capture_window.id, learning.id FROM capture_window JOIN learning ON learning.id = learning_id WHERE state IN ('kept', 'duplicate');
    `),
};
