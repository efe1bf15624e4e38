import { expect, test } from 'vitest';
import { answer } from '../recall/recall.ts';
import { hydrate } from '../recall/modes/staged.ts';
import { world } from '../testing/world.ts';
import { given, tempStore } from '../testing/temp-home.ts';
import { connect } from './connection.ts';
import { spaceNotices, storageProblemOf } from './health.ts';
import { setMeta } from './meta.ts';
import type { WritableDb } from './db.ts';

/** SQLite's own answers to a full and to a read-only disk. */
const TROUBLES = [
  [
    'full',
    (db: WritableDb) =>
      void db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`),
  ],
  ['read-only', (db: WritableDb) => void db.pragma('query_only = ON')],
] as const;

test.each(TROUBLES)(
  'on a %s disk recall and hydrate still answer, and it is known',
  async (problem, cause) => {
    const { parts, learnings } = await world([{ title: 'Feed the cat at noon', scope: 'global' }]);
    cause(parts.db);
    const asked = { query: 'feed the cat', knobs: { RECALL_VECTOR_ARM: false } };
    // A full database has room left in its last pages, so it is asked until that is used up.
    for (let times = 0; times < 500 && parts.db.health.problem === null; times++)
      expect((await answer(parts, asked)).hits).toHaveLength(1);
    expect(parts.db.health.problem).toBe(problem);
    const ids = learnings.map(({ id }) => id);
    expect(hydrate(parts, { ids }).learnings).toMatchObject([{ found: true }]);
  },
);

test('a disk with little space left is reported before it is full', () => {
  expect(spaceNotices(900_000)).toEqual([expect.stringMatching(/nearly full: 0\.9 MB are left/)]);
  expect([spaceNotices(1e9), spaceNotices(Infinity)]).toEqual([[], []]);
});

test('the problem ends with the first write that succeeds', () => {
  const { db } = tempStore();
  db.pragma('query_only = ON');
  expect(() => db.health.tolerate(() => setMeta(db, 'a', 'b'))).not.toThrow();
  const write = () => setMeta(db, 'a', 'c');
  expect(db.health.check(write)).toBe('read-only');
  db.pragma('query_only = OFF');
  expect(db.health.check(write)).toBeNull();
});

test('bookkeeping is left out while another connection writes, and that is no problem of the disk', () => {
  const { db, paths } = tempStore();
  const other = connect(paths.database);
  other.exec('BEGIN IMMEDIATE');
  db.pragma('busy_timeout = 1');
  expect(() => db.health.tolerate(() => setMeta(db, 'a', 'b'))).not.toThrow();
  expect(db.health.problem).toBeNull();
  other.close();
});

test('any other failure is thrown on, and a change that cannot be stored is refused', () => {
  const store = tempStore();
  expect(() =>
    store.db.health.tolerate(() => {
      throw new TypeError('our mistake');
    }),
  ).toThrow('our mistake');
  store.db.pragma('query_only = ON');
  expect(() => given(store, { title: 'Never stored' })).toThrow(/readonly/);
});

test('knows the errors of the file system, too', () => {
  const failure = (code: string) => Object.assign(new Error(code), { code });
  expect(
    ['ENOSPC', 'EROFS', 'EIO', 'SQLITE_CORRUPT_VTAB', 'ENOENT'].map((code) =>
      storageProblemOf(failure(code)),
    ),
  ).toEqual(['full', 'read-only', 'failing', 'damaged', null]);
});
