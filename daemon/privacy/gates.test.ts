import { expect, test } from 'vitest';
import { partFinder } from './gates.ts';

const partsIn = partFinder([{ kind: 'any', needs: ['@', 'pin ', 'passw', 'password'], pattern: /x/g }]);

test('every part of a text is named, one inside the other too', () => {
  expect(partsIn('the password of ann@acme.dev')).toEqual(new Set(['@', 'passw', 'password']));
});

test('a part that ends with a space begins a word', () => {
  expect(partsIn('pin 4711')).toEqual(new Set(['pin ']));
  expect(partsIn('spin fast')).toEqual(new Set());
});
