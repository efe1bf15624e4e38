import { expect, test } from 'vitest';
import { linksOf, neighboursOf } from './places.ts';

const EDGES = [
  { from: 0, to: 1 },
  { from: 1, to: 0 },
  { from: 2, to: 1 },
  { from: 2, to: 2 },
];

test('neighbours are those at either end, and nobody is their own', () => {
  expect([...neighboursOf(EDGES)].map(([node, near]) => [node, [...near]]).toSorted()).toEqual([
    [0, [1]],
    [1, [0, 2]],
    [2, [1]],
  ]);
});

test('a pair is linked once, however many edges tie it', () => {
  expect([...linksOf(EDGES)]).toEqual([0, 1, 1, 2]);
});
