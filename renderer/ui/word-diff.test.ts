import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordDiff } from './word-diff.ts';

const side = (before: string, after: string, leaves: 'added' | 'removed') =>
  wordDiff(before, after)
    .filter(({ kind }) => kind !== leaves)
    .map(({ text }) => text)
    .join('');

describe('wordDiff', () => {
  test('marks the one word that changed', () => {
    expect(wordDiff('run tests with jest', 'run tests with vitest')).toEqual([
      { kind: 'same', text: 'run tests with ' },
      { kind: 'removed', text: 'jest' },
      { kind: 'added', text: 'vitest' },
    ]);
  });

  test('says nothing changed when nothing did', () => {
    expect(wordDiff('same words', 'same words')).toEqual([{ kind: 'same', text: 'same words' }]);
    expect(wordDiff('', '')).toEqual([]);
  });

  test('shows a text that appears or goes as one run', () => {
    expect(wordDiff('', 'all new')).toEqual([{ kind: 'added', text: 'all new' }]);
    expect(wordDiff('all gone', '')).toEqual([{ kind: 'removed', text: 'all gone' }]);
  });

  test('joins neighbouring changed words into one run', () => {
    expect(wordDiff('use red paint now', 'use blue ink now').map(({ kind }) => kind)).toEqual([
      'same',
      'removed',
      'added',
      'same',
    ]);
  });

  test('both texts can always be read back from it', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'rule', ' ', '\n', '.', 'é'), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(side(before, after, 'added')).toBe(before);
        expect(side(before, after, 'removed')).toBe(after);
      }),
    );
  });

  test('gives up exactness, not correctness, on very long texts', () => {
    const before = Array.from({ length: 3_000 }, (_, index) => `a${index}`).join(' ');
    const after = Array.from({ length: 3_000 }, (_, index) => `b${index}`).join(' ');
    expect(side(before, after, 'added')).toBe(before);
    expect(side(before, after, 'removed')).toBe(after);
  });
});
