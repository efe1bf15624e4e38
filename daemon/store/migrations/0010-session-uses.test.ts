import { expect, test } from 'vitest';
import { migrate } from '../migrate.ts';
import { addUses, contextLost, inContext, usesOfSession } from '../outcomes/session-uses.ts';
import { MIGRATIONS } from './index.ts';
import { storeAt } from './testing.ts';

test('a store of version 9 gets injections per session, starting with what sessions have recalled', () => {
  const { db } = storeAt(9);
  const log = db.prepare(
    `INSERT INTO recall_log (at, query, project, session, ms, ids) VALUES (?, 'q', 'p', ?, 1, ?)`,
  );
  log.run(1, 's', '["a","b"]');
  log.run(5, 's', '["b"]');
  log.run(7, '', '["c"]');
  migrate(db, null, MIGRATIONS);
  expect(usesOfSession(db, 's', 10)).toMatchObject([
    { learningId: 'a', via: 'recall', firstAt: 1, at: 1 },
    { learningId: 'b', firstAt: 1, at: 5, project: 'p', outcome: null },
  ]);
  contextLost(db, 's');
  addUses(db, { session: 's', ids: ['a'], via: 'recall', agent: '', project: 'p', at: 9 });
  expect([...inContext(db, 's')]).toEqual(['a']);
});
