import { expect, test } from 'vitest';
import { baseOfGerund, baseOfParticiple } from './verb-forms.ts';

test.each([
  ['written', 'write'],
  ['checked', 'check'],
  ['updated', 'update'],
  ['removed', 'remove'],
  ['planned', 'plan'],
  ['added', 'add'],
  ['verified', 'verify'],
  ['treated', 'treat'],
])('"should have %s" asks to %s', (participle, base) => {
  expect(baseOfParticiple(participle)).toBe(base);
});

test.each([
  ['using', 'use'],
  ['running', 'run'],
  ['adding', 'add'],
  ['formatting', 'format'],
  ['creating', 'create'],
])('"why aren’t we %s" asks to %s', (gerund, base) => {
  expect(baseOfGerund(gerund)).toBe(base);
});
