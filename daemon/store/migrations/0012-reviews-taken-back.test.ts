import { expect, test } from 'vitest';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { reviewsOf } from '../outcomes/reviews.ts';
import { MIGRATIONS } from './index.ts';

test('the reviews of a store of version 11 all count', () => {
  const db = connect(':memory:');
  migrate(db, null, MIGRATIONS.slice(0, 11));
  db.exec(
    `INSERT INTO review (at, learning_id, source, result, alpha, q_before, q_after, session, reason) VALUES (1, 'lrn-a', 'feedback', 'pass', 0.3, 0.5, 0.65, '', 'fine')`,
  );
  migrate(db, null, MIGRATIONS.slice(0, 12));
  expect(db.pragma('user_version', { simple: true })).toBe(12);
  expect(reviewsOf(db, 'lrn-a')).toMatchObject([{ qAfter: 0.65, undoneAt: null }]);
});
