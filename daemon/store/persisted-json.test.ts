import { expect, test } from 'vitest';
import * as z from 'zod';
import { PersistedJson, readStrings } from './persisted-json.ts';

// A column that changed twice: a field was added, then one was renamed.
const Third = z.strictObject({
  title: z.string(),
  tags: z.array(z.string()).default([]),
  strength: z.number(),
});
const column = new PersistedJson(Third, 3, {
  2: ({ weight, ...row }) => ({ ...row, strength: weight }),
});
const CURRENT = { title: 'a', tags: ['b'], strength: 2 };

test('rows of every version are read as the current one: added fields get defaults, renamed ones move', () => {
  expect(column.read('{"title":"a","weight":2}')).toEqual({ title: 'a', tags: [], strength: 2 });
  expect(column.read('{"title":"a","tags":["b"],"weight":2,"v":2}')).toEqual(CURRENT);
  expect(column.read(column.write(CURRENT))).toEqual(CURRENT);
  expect(column.readOrNull(null)).toBeNull();
});

test('a row says which version wrote it, except in the first version', () => {
  expect(JSON.parse(column.write(CURRENT))).toEqual({ ...CURRENT, v: 3 });
  expect(JSON.parse(new PersistedJson(Third).write(CURRENT))).toEqual(CURRENT);
});

test('an older row that cannot be brought up to date is refused', () => {
  expect(() => column.read('{"weight":2}')).toThrow(z.ZodError);
});

test('rows that somebody else wrote are checked whatever their version', () => {
  const accepts = (row: unknown) => column.anyVersion.safeParse(row).success;
  expect(
    [
      { title: 'a', weight: 2 },
      { ...CURRENT, v: 3 },
      { ...CURRENT, v: 3, more: 1 },
      { v: 3 },
      'text',
      null,
    ].map(accepts),
  ).toEqual([true, true, false, false, false, false]);
});

test('a list that is absent is empty', () => {
  expect([readStrings('["a","b"]'), readStrings(null), readStrings(undefined)]).toEqual([['a', 'b'], [], []]);
});
