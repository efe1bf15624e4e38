import { describe, expect, test } from 'vitest';
import { EDITED, given, recordCommits, tempStore } from '../testing/temp-home.ts';
import type { StoreChange } from './changes.ts';
import type { WritableDb } from './db.ts';
import { openMemoryStore } from './open.ts';
import { findLearning } from './learnings/learnings.ts';
import { askMerge } from './learnings/questions.ts';
import { asOneUnit, changeLearning } from './learnings/write.ts';
import { addToCounter } from './meta.ts';

const refuse = (error: unknown) => {
  throw error;
};
const change = (name: string): StoreChange => ({ type: 'slot.changed', project: '', name });
const announce = (db: WritableDb, ...names: string[]) =>
  names.forEach((name) => db.changes.announce(change(name)));

/** The names announced, commit by commit. */
function world() {
  const db = openMemoryStore();
  const commits: string[][] = [];
  const seen = (changes: readonly StoreChange[]) =>
    changes.map((each) => (each.type === 'slot.changed' ? each.name : each.type));
  db.changes.subscribe((changes) => commits.push(seen(changes)), refuse);
  const rolledBack = (work: () => void) =>
    expect(
      db.transaction(() => {
        work();
        throw new Error('rolled back');
      }),
    ).toThrow('rolled back');
  return { db, commits, rolledBack };
}

describe('the change feed', () => {
  test('publishes at once outside a transaction, and after the commit inside one', () => {
    const { db, commits } = world();
    announce(db, 'alone');
    expect(commits).toEqual([['alone']]);
    db.transaction(() => {
      announce(db, 'one', 'two');
      expect(commits).toHaveLength(1);
    })();
    expect(commits).toEqual([['alone'], ['one', 'two']]);
  });

  test('publishes after the outermost commit, in the order in which the changes were made', () => {
    const { db, commits } = world();
    db.transaction(() => {
      announce(db, 'before');
      db.transaction(() => announce(db, 'inner'))();
      expect(commits).toEqual([]);
      announce(db, 'after');
    })();
    expect(commits).toEqual([['before', 'inner', 'after']]);
  });

  test('publishes nothing of a transaction that is rolled back, nor later', () => {
    const { db, commits, rolledBack } = world();
    rolledBack(() => {
      announce(db, 'lost');
      db.transaction(() => announce(db, 'lost too'))();
    });
    announce(db, 'kept');
    expect(commits).toEqual([['kept']]);
  });

  test('drops the changes of a savepoint that is rolled back, and keeps those around it', () => {
    const { db, commits, rolledBack } = world();
    db.transaction(() => {
      announce(db, 'before');
      rolledBack(() => announce(db, 'lost'));
      announce(db, 'after');
    })();
    expect(commits).toEqual([['before', 'after']]);
  });

  test('publishes nothing of a transaction that cannot be committed', () => {
    const { db, commits } = world();
    db.exec('CREATE TABLE parent (id INTEGER PRIMARY KEY)');
    db.exec('CREATE TABLE child (id INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)');
    const orphan = db.transaction(() => {
      announce(db, 'lost');
      db.exec('INSERT INTO child VALUES (1)');
    });
    expect(orphan).toThrow(/FOREIGN KEY/);
    expect(commits).toEqual([]);
  });

  test.each(['default', 'deferred', 'immediate', 'exclusive'] as const)(
    'collects in a transaction that begins %s',
    (begin) => {
      const { db, commits } = world();
      db.transaction(() => announce(db, 'one', 'two'))[begin]();
      expect(commits).toEqual([['one', 'two']]);
    },
  );

  test('reports a listener that throws, and the others still run', () => {
    const { db, commits } = world();
    const errors: unknown[] = [];
    db.changes.subscribe(
      () => {
        throw new Error('broken');
      },
      (error) => errors.push(error),
    );
    const last: number[] = [];
    db.changes.subscribe((changes) => last.push(changes.length), refuse);
    announce(db, 'one');
    expect([commits, errors, last]).toEqual([[['one']], [new Error('broken')], [1]]);
  });

  test('publishes what a listener writes after the change it handles, to everyone, once', () => {
    const { db, commits, rolledBack } = world();
    let wrote = false;
    const after: string[][] = [];
    db.changes.subscribe(() => {
      if (wrote) return;
      wrote = true;
      db.transaction(() => announce(db, 'written by a listener'))();
      rolledBack(() => announce(db, 'lost'));
      expect(commits).toEqual([['first']]); // not in the middle of the first
    }, refuse);
    db.changes.subscribe((changes) => after.push(changes.map(({ type }) => type)), refuse);
    announce(db, 'first');
    expect(commits).toEqual([['first'], ['written by a listener']]);
    expect(after).toHaveLength(2);
  });

  test('does not call a listener that unsubscribed', () => {
    const { db } = world();
    let heard = 0;
    const stop = db.changes.subscribe(() => heard++, refuse);
    announce(db, 'one');
    stop();
    announce(db, 'two');
    expect(heard).toBe(1);
  });
});

test('a note whose unit is rolled back is not announced, nor is the question about it', () => {
  const store = tempStore();
  const known = given(store, { title: 'Use vitest' }).learning;
  const commits = recordCommits(store.db);
  const failing = () =>
    asOneUnit(store, () => {
      const { id } = given(store, { title: 'Use vitest always' }).learning;
      changeLearning(store, known.id, { rule: 'Always.' }, EDITED);
      askMerge(store, { at: 1, similarity: 1, existingId: known.id, incomingId: id });
      throw new Error('half-way');
    });
  expect(failing).toThrow('half-way');
  expect(commits).toEqual([]);
  addToCounter(store.db, 'anything', 1);
  given(store, { title: 'Another' });
  expect(commits).toMatchObject([[{ type: 'learning.changed', learning: { title: 'Another' } }]]);
});

test('a listener finds the store as the whole unit left it', () => {
  const store = tempStore();
  const found: Array<string | undefined> = [];
  store.db.changes.subscribe((changes) => {
    for (const each of changes)
      if (each.type === 'learning.changed') found.push(findLearning(store.db, each.learning.id)?.rule);
  }, refuse);
  asOneUnit(store, () => {
    const { id } = given(store, { title: 'Use vitest', rule: 'one' }).learning;
    changeLearning(store, id, { rule: 'two' }, EDITED);
  });
  expect(found).toEqual(['two', 'two']);
});
