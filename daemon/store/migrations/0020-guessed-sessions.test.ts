import { expect, test } from 'vitest';
import { findCommit } from '../capture/commits.ts';
import { storeAt } from './testing.ts';

test('a store of version 19 keeps the sessions of its commits', () => {
  const { db, upgrade } = storeAt(19);
  db.prepare(
    `INSERT INTO commit_link (sha, session, project, branch, message, at) VALUES ('0123456789', 'one', 'p', 'main', '', 1)`,
  ).run();
  upgrade();
  expect(findCommit(db, '0123456')).toMatchObject({ session: 'one', sessionGuessed: false });
});
