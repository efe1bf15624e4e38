import { expect, test } from 'vitest';
import { openMemoryStore } from './open.ts';

const SQL = 'SELECT value AS one, value * 2 AS two FROM json_each(?)';
const list = JSON.stringify([1, 2]);

test('a statement is compiled once per mode, so that no mode changes what another reads', () => {
  const db = openMemoryStore();
  const plucked = db.prepare(SQL).pluck();
  const rows = db.prepare(SQL);
  const raw = rows.raw();
  expect(db.prepare(SQL)).toBe(rows);
  expect([plucked.all(list), rows.all(list), raw.all(list)]).toEqual([
    [1, 2],
    [
      { one: 1, two: 2 },
      { one: 2, two: 4 },
    ],
    [
      [1, 2],
      [2, 4],
    ],
  ]);
  expect(plucked.pluck(false).all(list)).toEqual(rows.all(list));
  expect(rows.pluck().get(list)).toBe(1);
});

test('a statement that is being iterated is not handed out again', () => {
  const db = openMemoryStore();
  const seen: unknown[] = [];
  for (const outer of db.prepare(SQL).pluck().iterate(list))
    seen.push([outer, db.prepare(SQL).pluck().all(list)]);
  expect(seen).toEqual([
    [1, [1, 2]],
    [2, [1, 2]],
  ]);
});

test('methods that would change a shared statement are refused', () => {
  const statement = openMemoryStore().prepare(SQL);
  expect(() => statement.bind(list)).toThrow(/others share/);
  expect(() => statement.safeIntegers()).toThrow(/others share/);
  expect(() => statement.expand()).toThrow(/others share/);
});
