import type { Migration } from './migration.ts';

/** The session of a commit may be a guess, which a later claim of another session replaces. */
export const guessedSessions: Migration = {
  version: 20,
  up: (db) => db.exec('ALTER TABLE commit_link ADD COLUMN session_guessed INTEGER NOT NULL DEFAULT 0'),
};
