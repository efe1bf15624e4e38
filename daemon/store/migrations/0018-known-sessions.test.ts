import { expect, test } from 'vitest';
import { seenSession } from '../capture/known-sessions.ts';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { addUses, listSessions, usesOfSession } from '../outcomes/session-uses.ts';
import { MIGRATIONS } from './index.ts';

test('a store of version 17 knows its sessions by their requests from the next one that is read', () => {
  const db = connect(':memory:');
  migrate(db, null, MIGRATIONS.slice(0, 17));
  db.prepare(
    `INSERT INTO session_use (session, learning_id, via, first_at, at, agent, project) VALUES ('old', 'a', 'start', 1, 1, '', 'p')`,
  ).run();
  migrate(db, null, MIGRATIONS.slice(0, 18));
  expect(usesOfSession(db, 'old', 10)).toMatchObject([{ learningId: 'a', matched: null }]);
  const use = { via: 'prompt', agent: 'codex', project: 'p', at: 2 } as const;
  addUses(db, { ...use, session: 'new', ids: ['a', 'b'], matched: { a: ['grpc'] } });
  expect(usesOfSession(db, 'new', 10).map(({ matched }) => matched)).toEqual([['grpc'], null]);
  seenSession(db, { session: 'new', agent: 'codex', project: 'p', request: 'Fix the client', at: 2 });
  expect(listSessions(db, { limit: 10, liveSince: 2 })).toMatchObject([
    { session: 'new', title: 'Fix the client', live: true },
    { session: 'old', title: '', live: false },
  ]);
});
