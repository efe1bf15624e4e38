import { expect, test } from 'vitest';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from './index.ts';

test('a change that refers to a deleted one is found by an index, from version 17 on', () => {
  const db = connect(':memory:');
  const plan = () =>
    db
      .prepare<[], { detail: string }>('EXPLAIN QUERY PLAN SELECT 1 FROM change WHERE undone_by = 1')
      .all()
      .map(({ detail }) => detail)
      .join();
  migrate(db, null, MIGRATIONS.slice(0, 16));
  expect(plan()).toContain('SCAN change');
  migrate(db, null, MIGRATIONS.slice(0, 17));
  expect(plan()).toContain('USING COVERING INDEX change_by_undo');
});
