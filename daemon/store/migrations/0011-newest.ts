import type { Migration } from './migration.ts';

/** An index for the latest learnings of a project, which every session start reads. */
export const newest: Migration = {
  version: 11,
  up: (db) => db.exec('CREATE INDEX learning_newest ON learning(shard, updated_at DESC) WHERE live = 1'),
};
