import { expect, test } from 'vitest';
import { openMemoryStore } from './open.ts';

test('a query takes values by name or by place, lists as JSON and what is absent as NULL', () => {
  const db = openMemoryStore();
  const named = 'SELECT value FROM json_each(:list) WHERE :least IS NULL OR value >= :least';
  expect(db.values(named, { list: [1, 2], least: undefined })).toEqual([1, 2]);
  expect(db.values(named, { list: [1, 2], least: 2 })).toEqual([2]);
  expect(db.values('SELECT value FROM json_each(?) LIMIT ?', [['a', 'b'], 1])).toEqual(['a']);
  expect(db.rows('SELECT ? AS one', 'x')).toEqual([{ one: 'x' }]);
  expect(() => db.values(named, { list: [1] })).toThrow('Missing named parameter');
  expect(() => db.values('SELECT ?', [1, 2])).toThrow('Too many parameter values');
});

test('a query that finds nothing has no row, no value, and counts nothing', () => {
  const db = openMemoryStore();
  const nothing = 'SELECT 1 WHERE false';
  expect([db.row(nothing), db.value(nothing), db.count(nothing), db.has(nothing)]).toEqual([
    undefined,
    undefined,
    0,
    false,
  ]);
  expect([db.row('SELECT 1 AS one'), db.has('SELECT NULL')]).toEqual([{ one: 1 }, true]);
});

test('a row is added from the fields of its columns, and one that lacks a field is refused', () => {
  const db = openMemoryStore();
  db.exec('CREATE TABLE seen (first_at INTEGER, is_new INTEGER, words TEXT, said TEXT)');
  const into = 'INTO seen (first_at, is_new, words, said)';
  db.insert(into, { firstAt: 1, isNew: true, words: ['a'], said: undefined, other: 'is left out' });
  expect(db.rows('SELECT * FROM seen')).toEqual([{ first_at: 1, is_new: 1, words: '["a"]', said: null }]);
  expect(() => db.insert(into, { firstAt: 1, isNew: true, words: [] })).toThrow('Missing named parameter');
});
