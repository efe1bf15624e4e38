import type { Migration } from '../migrate.ts';

/** What was learned last in a project is asked for at every start of a session: it is read off an index. */
export const newest: Migration = {
  version: 11,
  up: (db) => db.exec('CREATE INDEX learning_newest ON learning(shard, updated_at DESC) WHERE live = 1'),
};
