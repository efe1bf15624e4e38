import { expect, test } from 'vitest';
import { recordSessionActivity } from '../capture/sessions.ts';
import { addUses, listSessions, usesOfSession } from '../outcomes/session-uses.ts';
import { storeAt } from './testing.ts';

test('a store of version 17 knows its sessions by their requests from the next one that is read', () => {
  const { db, upgrade } = storeAt(17);
  db.prepare(
    `INSERT INTO session_use (session, learning_id, via, first_at, at, agent, project) VALUES ('old', 'a', 'start', 1, 1, '', 'p')`,
  ).run();
  upgrade();
  expect(usesOfSession(db, 'old', 10)).toMatchObject([{ learningId: 'a', matched: null }]);
  const use = { via: 'prompt', agent: 'codex', project: 'p', at: 2 } as const;
  addUses(db, { ...use, session: 'new', ids: ['a', 'b'], matched: { a: ['grpc'] } });
  expect(usesOfSession(db, 'new', 10).map(({ matched }) => matched)).toEqual([['grpc'], null]);
  recordSessionActivity(db, {
    session: 'new',
    agent: 'codex',
    project: 'p',
    request: 'Fix the client',
    at: 2,
  });
  expect(listSessions(db, { limit: 10, liveSince: 2 })).toMatchObject([
    { session: 'new', title: 'Fix the client', live: true },
    { session: 'old', title: '', live: false },
  ]);
});
