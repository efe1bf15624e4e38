import { expect, test } from 'vitest';
import { Lru } from './lru.ts';

test('the entry unused for longest is dropped when another needs its place', () => {
  const lru = new Lru<string, number>(2);
  lru.set('a', 1);
  lru.set('b', 2);
  lru.get('a');
  lru.set('c', 3);
  expect([...lru]).toEqual([
    ['a', 1],
    ['c', 3],
  ]);
});

test('setting a known key again replaces its value, uses it, and drops nothing', () => {
  const lru = new Lru<string, number>(2);
  lru.set('a', 1).set('b', 2).set('a', 3);
  expect([...lru]).toEqual([
    ['b', 2],
    ['a', 3],
  ]);
});
