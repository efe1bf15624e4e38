import { expect, test } from 'vitest';
import { named } from './pronouns.ts';

test('a sentence that begins with a pronoun gets the name from the sentence before it, or that sentence', () => {
  expect(named('It never reads the cache.', 'The `resolve` function is called twice.')).toEqual([
    'The `resolve` function never reads the cache.',
    'The `resolve` function is called twice; it never reads the cache.',
  ]);
});

test('without a name before it nothing is made up', () => {
  expect(named('It never reads the cache.', 'It is called twice.')).toEqual([]);
  expect(named('It never reads the cache.', 'Why is `resolve` called twice?')).toEqual([]);
  expect(named('It never reads the cache.', undefined)).toEqual([]);
  expect(named('The cache is never read.', '`resolve` is called twice.')).toEqual([]);
});
