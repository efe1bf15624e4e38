import { expect, test } from 'vitest';
import { ARCHIVED, LEFT_BEHIND } from './tables.ts';
import { NEWEST, storeAt, tablesAt } from './schema.ts';

test('every table is either archived or listed as state of this machine', () => {
  const db = storeAt(':memory:', NEWEST);
  const tables = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .pluck()
    .all();
  expect([...Object.keys(ARCHIVED), ...LEFT_BEHIND].toSorted()).toEqual(tables);
});

test('the tables of an older version are those it had, as it had them', () => {
  const first = tablesAt(1).map(({ name }) => name);
  expect(first).toContain('learning');
  expect(first).not.toContain('persona');
  const slot = (version: number) => tablesAt(version).find(({ name }) => name === 'slot')?.columns;
  expect([slot(1), slot(2)].map((columns) => columns?.includes('position'))).toEqual([false, true]);
});
