import { expect, test } from 'vitest';
import { storeAt } from './testing.ts';

test('a store of version 12 counts by project without reading a note', () => {
  const { db, upgrade } = storeAt(12);
  const plan = () =>
    JSON.stringify(
      db
        .prepare(
          `EXPLAIN QUERY PLAN SELECT project, count(*) FROM learning INDEXED BY learning_lists WHERE status = 'active' AND live = 1 GROUP BY project`,
        )
        .all(),
    );
  expect(plan).toThrow('no such index');
  upgrade();
  expect(plan()).toContain('INDEX learning_lists (status=? AND live=?)');
});
