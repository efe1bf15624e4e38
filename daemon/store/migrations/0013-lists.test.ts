import { expect, test } from 'vitest';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from './index.ts';

test('a store of version 12 counts by project without reading a note', () => {
  const db = connect(':memory:');
  migrate(db, null, MIGRATIONS.slice(0, 12));
  db.exec(`INSERT INTO meta (key, value) VALUES ('kept', 'yes')`);
  const plan = () =>
    JSON.stringify(
      db
        .prepare(
          `EXPLAIN QUERY PLAN SELECT project, count(*) FROM learning INDEXED BY learning_lists WHERE status = 'active' AND live = 1 GROUP BY project`,
        )
        .all(),
    );
  expect(plan).toThrow('no such index');
  migrate(db, null, MIGRATIONS.slice(0, 13));
  expect(db.pragma('user_version', { simple: true })).toBe(13);
  expect(db.prepare(`SELECT value FROM meta WHERE key = 'kept'`).pluck().get()).toBe('yes');
  expect(plan()).toContain('INDEX learning_lists (status=? AND live=?)');
});
