import { expect, test } from 'vitest';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { addSpace, addToOutbox, countOutbox, listSpaces, removeSpace, setPolicy } from '../team.ts';
import { MIGRATIONS } from './index.ts';

test('from version 19 on a machine remembers its spaces, and forgets all of one it left', () => {
  const db = connect(':memory:');
  migrate(db, null, MIGRATIONS.slice(0, 18));
  expect(() => listSpaces(db)).toThrow('no such table');
  migrate(db, null, MIGRATIONS.slice(0, 19));
  addSpace(db, { name: 'acme', url: 'postgres://ana@db.example/x', everything: false, joinedAt: 1 });
  setPolicy(db, 'acme', 'shop', 'auto');
  const row = {
    noteId: 'n',
    localId: 'l',
    parent: null,
    kind: 'create',
    project: 'shop',
    everywhere: 0,
    note: '{}',
    hash: '',
  } as const;
  addToOutbox(db, { ...row, space: 'acme', rev: 'r' });
  expect(listSpaces(db)).toMatchObject([{ name: 'acme', cursor: 0, cursorRev: '' }]);
  removeSpace(db, 'acme');
  expect([listSpaces(db).length, countOutbox(db, 'acme')]).toEqual([0, 0]);
});
