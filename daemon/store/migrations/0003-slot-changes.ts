import type { Migration } from './migration.ts';

/** Slot edits have a history, so that they can be undone, and a skill has the project whose folder it is in. */
export const slotChanges: Migration = {
  version: 3,
  up: (db) =>
    db.exec(`
      CREATE TABLE slot_change (
        id        INTEGER PRIMARY KEY,
        at        INTEGER NOT NULL,
        actor     TEXT NOT NULL,
        kind      TEXT NOT NULL,
        project   TEXT NOT NULL,
        name      TEXT NOT NULL,
        before    TEXT,
        after     TEXT,
        undone_by INTEGER REFERENCES slot_change(id)
      ) STRICT;
      CREATE INDEX slot_change_of ON slot_change(project, name, id);

      -- '' for a skill in the agent's own home, which is there in every project.
      ALTER TABLE skill ADD COLUMN root TEXT NOT NULL DEFAULT '';
    `),
};
