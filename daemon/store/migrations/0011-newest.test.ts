import { expect, test } from 'vitest';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from './index.ts';

test('a store of version 10 reads the newest of a shard off an index', () => {
  const db = connect(':memory:');
  migrate(db, null, MIGRATIONS.slice(0, 10));
  db.exec(`INSERT INTO meta (key, value) VALUES ('kept', 'yes')`);
  const plan = () =>
    JSON.stringify(
      db
        .prepare(
          'EXPLAIN QUERY PLAN SELECT seq FROM learning WHERE shard = 1 AND live = 1 ORDER BY updated_at DESC LIMIT 5',
        )
        .all(),
    );
  expect(plan()).toContain('TEMP B-TREE');
  migrate(db, null, MIGRATIONS.slice(0, 11));
  expect(db.pragma('user_version', { simple: true })).toBe(11);
  expect(db.prepare(`SELECT value FROM meta WHERE key = 'kept'`).pluck().get()).toBe('yes');
  expect(plan()).toContain('learning_newest');
  expect(plan()).not.toContain('TEMP B-TREE');
});
