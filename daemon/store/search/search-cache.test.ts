import { expect, test } from 'vitest';
import fc from 'fast-check';
import { makeNotes, makeQuestions } from '../../bench/corpus.ts';
import { atOnce } from '../../platform/turns.ts';
import { EDITED, given, tempStore } from '../../testing/temp-home.ts';
import { porterStem } from '../../text/porter.ts';
import type { WritableDb } from '../db.ts';
import { addLearning, asOneUnit, changeLearning } from '../learnings/write.ts';
import { setMeta } from '../meta.ts';
import { openMemoryStore } from '../open.ts';
import { shardsIn } from './shards.ts';
import { ensureVectors, putVector, searchByVector } from './vectors.ts';
import { ensureSearchIndex, searchByWords } from './words.ts';

/** The same search by the database itself: within a transaction nothing else is asked. */
const inDatabase = <T>(db: WritableDb, search: () => T): T => db.transaction(search)();

/** Scores agree to a millionth; notes with the same score have no order. */
const byScore = (matches: ReadonlyArray<{ seq: number; score: number }>) =>
  matches.map(({ seq, score }) => `${score.toFixed(6)} ${seq}`).toSorted();

function expectSame(db: WritableDb, query: string, shards: number[] | null = null): void {
  const search = () => searchByWords(db, query, shards, 1_000);
  expect(byScore(search()), query).toEqual(byScore(inDatabase(db, search)));
}

test('words in memory find and score what the database finds and scores, everywhere and in a project', () => {
  const store = tempStore();
  for (const note of makeNotes(120)) addLearning(store, note, EDITED);
  const { db } = store;
  const here = shardsIn(db, {
    project: 'github.com/acme/billing',
    branch: null,
    allBranches: true,
    everywhere: false,
  });
  for (const question of makeQuestions(40, 5)) {
    expectSame(db, question);
    expectSame(db, question, here);
  }
});

test('accents, beginnings of words, other scripts and words that repeat are found as in the database', () => {
  const store = tempStore();
  for (const title of [
    'Über die Prüfung der Prüfungen',
    'Запускай тесты перед каждым тестом',
    '日本語のテスト',
    'naïve café résumé Ångström',
    'recalcTaxTotals of the invoice, the invoices and invoicing',
    'हिन्दी में लिखो',
    'x'.repeat(80),
  ])
    given(store, { title });
  for (const query of [
    'prüfungen',
    'тестами',
    '日本語',
    'cafe resume naive',
    'invoice invoices',
    'हिन्दी',
    'ångström',
  ])
    expectSame(store.db, query);
});

test('every change of a note is in the next search', () => {
  const store = tempStore();
  const { db } = store;
  const seqs = () => searchByWords(db, 'retry', null, 10).length;
  const { id } = given(store, { title: 'Retry twice', project: 'one' }).learning;
  expect(seqs()).toBe(1);
  changeLearning(store, id, { title: 'Wait twice' }, EDITED);
  expect(seqs()).toBe(0);
  changeLearning(store, id, { title: 'Retry thrice' }, EDITED);
  expect(seqs()).toBe(1);
  changeLearning(store, id, { status: 'archived' }, EDITED);
  expect(seqs()).toBe(0);
  changeLearning(store, id, { status: 'active', project: 'two' }, EDITED);
  const two = shardsIn(db, { project: 'two', branch: null, allBranches: false, everywhere: false });
  expect(searchByWords(db, 'retry', two, 10)).toHaveLength(1);
  expect(() =>
    asOneUnit(store, () => {
      given(store, { title: 'Retry for ever' });
      expect(seqs(), 'a transaction sees its own writes').toBe(2);
      throw new Error('rolled back');
    }),
  ).toThrow('rolled back');
  expect(seqs()).toBe(1);
  db.exec('PRAGMA foreign_keys = OFF; DELETE FROM learning');
  expect(seqs()).toBe(0);
});

test('after any series of changes memory and database agree', () => {
  const titles = fc.constantFrom('retry the upload', 'cache the query', 'upload twice', 'wait for the cache');
  const change = fc.record({
    at: fc.nat(5),
    title: titles,
    project: fc.constantFrom('one', 'two'),
    status: fc.constantFrom('active' as const, 'archived' as const, 'candidate' as const),
    isKept: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const store = tempStore();
      const ids = [0, 1, 2, 3, 4, 5].map(
        (number) => given(store, { title: `note ${number} about a cache`, project: 'one' }).learning.id,
      );
      for (const { at, isKept, ...patch } of changes) {
        try {
          asOneUnit(store, () => {
            changeLearning(store, ids[at] ?? '', patch, EDITED);
            if (!isKept) throw new Error('rolled back');
          });
        } catch (error) {
          if (isKept) throw error;
        }
        // SQLite's index counts every version of a note that it ever had as a note, until it is built again.
        setMeta(store.db, 'search-index', '');
        ensureSearchIndex(store.db);
        for (const query of ['cache', 'upload twice', 'note']) {
          expectSame(store.db, query);
          for (const project of ['one', 'two'])
            expectSame(
              store.db,
              query,
              shardsIn(store.db, {
                project,
                branch: null,
                allBranches: false,
                everywhere: false,
                candidates: true,
              }),
            );
        }
      }
    }),
    { numRuns: 6 },
  );
});

test('a store too large to be read by a search is answered by the database until it was read', () => {
  const store = tempStore();
  const { db } = store;
  db.transaction(() => {
    for (let number = 0; number < 400; number++) given(store, { title: `Retry number ${number}` });
  })();
  const search = () => searchByWords(db, 'retry', null, 1_000);
  expect(db.search?.words).toBeNull();
  expect(search()).toHaveLength(400);
  atOnce(db.search?.fill([]) as Generator<void>);
  expect(db.search?.words?.size).toBe(400);
  expect(search()).toHaveLength(400);
});

test('stems are those of SQLite, letter for letter', () => {
  const endings =
    's es sses ies ed eed ing ational tional izer ization iveness fulness ousness aliti biliti icate ative alize'
      .concat(
        ' ical ful ness able ement ment ent ion sion tion ism ate iti ous ive ize e ll y ly bli logi entli',
      )
      .split(' ');
  const beginnings =
    'a be controll fly gener happ hop hopp index migrat oper plast probat rat relat sky tr troubl valu vowel y'.split(
      ' ',
    );
  const words = beginnings.flatMap((beginning) => endings.map((ending) => `${beginning}${ending}`));
  const db = openMemoryStore();
  db.exec(`
    CREATE VIRTUAL TABLE temp.sample USING fts5(word, tokenize = 'porter unicode61');
    CREATE VIRTUAL TABLE temp.stem USING fts5vocab(temp, sample, instance);
  `);
  words.forEach((word, at) =>
    db.prepare('INSERT INTO temp.sample (rowid, word) VALUES (?, ?)').run(at + 1, word),
  );
  const stems = db.prepare<[], { doc: number; term: string }>('SELECT doc, term FROM temp.stem').all();
  expect(Object.fromEntries(words.map((word) => [word, porterStem(word)]))).toEqual(
    Object.fromEntries(stems.map(({ doc, term }) => [words[doc - 1], term])),
  );
});

test('vectors in memory are those of the database after they were put, moved and deleted, and after a rest', () => {
  const store = tempStore();
  const { db } = store;
  const table = ensureVectors(db, 'model', 64);
  const axis = (at: number) => Float32Array.from({ length: 64 }, (_, index) => (index === at ? 1 : 0));
  const add = (title: string) => {
    const { id } = given(store, { title, project: 'one' }).learning;
    return { id, seq: db.prepare('SELECT seq FROM learning WHERE id = ?').pluck().get(id) as number };
  };
  const [one, two] = [add('First'), add('Second')];
  const nearest = (at: number) => {
    const search = () =>
      searchByVector(db, table, axis(at), null, 5)
        .filter(({ cosine }) => cosine > 0.5)
        .map(({ seq }) => seq);
    expect(search()).toEqual(inDatabase(db, search));
    return search();
  };
  putVector(db, table, one.seq, axis(1));
  expect(nearest(1)).toEqual([one.seq]);
  db.search?.rest();
  expect(nearest(1)).toEqual([one.seq]);
  putVector(db, table, two.seq, axis(1));
  putVector(db, table, one.seq, axis(2));
  expect([nearest(1), nearest(2)]).toEqual([[two.seq], [one.seq]]);
  changeLearning(store, two.id, { project: 'two' }, EDITED);
  const there = shardsIn(db, { project: 'two', branch: null, allBranches: false, everywhere: false });
  expect(searchByVector(db, table, axis(1), there, 5)[0]?.seq).toBe(two.seq);
  changeLearning(store, two.id, { status: 'archived' }, EDITED);
  expect(nearest(1)).toEqual([]);
  expect(() =>
    db.transaction(() => {
      putVector(db, table, one.seq, axis(3));
      throw new Error('rolled back');
    })(),
  ).toThrow('rolled back');
  expect([nearest(2), nearest(3)]).toEqual([[one.seq], []]);
});
