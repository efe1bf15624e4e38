import { expect, test } from 'vitest';
import { reviewsOf } from '../outcomes/reviews.ts';
import { storeAt } from './testing.ts';

test('the reviews of a store of version 11 all count', () => {
  const { db, upgrade } = storeAt(11);
  db.exec(
    `INSERT INTO review (at, learning_id, source, result, alpha, q_before, q_after, session, reason) VALUES (1, 'lrn-a', 'feedback', 'pass', 0.3, 0.5, 0.65, '', 'fine')`,
  );
  upgrade();
  expect(reviewsOf(db, 'lrn-a')).toMatchObject([{ qAfter: 0.65, undoneAt: null }]);
});
