import type { Migration } from './migration.ts';

/** Belief revision: changes grouped into events, proofs with their sources, and notes still to be compared. */
export const revision: Migration = {
  version: 8,
  up: (db) =>
    db.exec(`
      -- The first change of an event that took several; they are undone together. NULL for one that stands alone or comes first.
      ALTER TABLE change ADD COLUMN unit INTEGER REFERENCES change(id);
      -- Where the evidence came from; the same source proves a learning once.
      ALTER TABLE change ADD COLUMN source TEXT NOT NULL DEFAULT '';
      -- How often the learning was proven before, and how often more by this change.
      ALTER TABLE change ADD COLUMN proofs_before INTEGER;
      ALTER TABLE change ADD COLUMN proofs_added INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX change_by_unit ON change(unit) WHERE unit IS NOT NULL;
      CREATE INDEX change_by_source ON change(learning_id, source) WHERE source <> '';

      ALTER TABLE merge_question ADD COLUMN kind TEXT NOT NULL DEFAULT 'twin' CHECK (kind IN ('twin', 'contradiction'));
      -- The change that answered it: undone, the question is open again.
      ALTER TABLE merge_question ADD COLUMN answered_by INTEGER REFERENCES change(id);
      CREATE INDEX merge_question_open ON merge_question(at, id) WHERE state = 'open';
      CREATE INDEX merge_question_by_incoming ON merge_question(incoming_id);
      CREATE INDEX merge_question_by_existing ON merge_question(existing_id);

      -- Live notes not yet compared with the others: by the words of their titles, and by their meaning once they have a vector.
      CREATE TABLE unexamined (
        seq     INTEGER PRIMARY KEY REFERENCES learning(seq) ON DELETE CASCADE,
        by_rule INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      INSERT INTO unexamined (seq) SELECT seq FROM learning WHERE live = 1;
      CREATE INDEX unexamined_by_rule ON unexamined(seq) WHERE by_rule = 0;

      CREATE INDEX learning_by_expiry ON learning(note ->> '$.forgetAfter') WHERE note ->> '$.forgetAfter' IS NOT NULL;
    `),
};
