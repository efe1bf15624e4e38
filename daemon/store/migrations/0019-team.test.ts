import { expect, test } from 'vitest';
import { addSpace, addToOutbox, countOutbox, listSpaces, removeSpace, setPolicy } from '../team.ts';
import { storeAt } from './testing.ts';

test('from version 19 on a machine remembers its spaces, and forgets all of one it left', () => {
  const { db, upgrade } = storeAt(18);
  expect(() => listSpaces(db)).toThrow('no such table');
  upgrade();
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
