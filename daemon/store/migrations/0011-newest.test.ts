import { expect, test } from 'vitest';
import { storeAt } from './testing.ts';

test('a store of version 10 reads the newest of a shard off an index', () => {
  const { db, upgrade } = storeAt(10);
  const plan = () =>
    JSON.stringify(
      db
        .prepare(
          'EXPLAIN QUERY PLAN SELECT seq FROM learning WHERE shard = 1 AND live = 1 ORDER BY updated_at DESC LIMIT 5',
        )
        .all(),
    );
  expect(plan()).toContain('TEMP B-TREE');
  upgrade();
  expect(plan()).toContain('learning_newest');
  expect(plan()).not.toContain('TEMP B-TREE');
});
