import type { Migration } from './migration.ts';

/** Indexes for lists, their filters and the Inbox, so that a note is read only to be shown. */
export const lists: Migration = {
  version: 13,
  up: (db) =>
    db.exec(`
      CREATE INDEX learning_lists ON learning(status, live, project, branch, category, agent, confidence, updated_at DESC);
      CREATE INDEX learning_speculative ON learning(created_at) WHERE live = 1 AND speculative = 1;
      CREATE INDEX learning_unvalidated ON learning(created_at) WHERE live = 1 AND speculative = 0 AND note ->> '$.validated' = 0;
    `),
};
