import { expect, test } from 'vitest';
import { chosenPasswords } from './chosen-passwords.ts';

const found = (text: string) => chosenPasswords(text).map(({ start, end }) => text.slice(start, end));

test.each([
  'm0nkeyBus1ness',
  'Tr0ub4dor&3',
  'P4ssw0rd',
  'sqlcipherK3y',
  'Summer2024!',
  'Gelato!2020',
  'Sunflower!9',
  'xK9#mQ2$vL',
])('%s is a password wherever it stands', (password) => {
  expect(found(`try ${password} there`)).toEqual([password]);
  expect(found(`NAME="${password}"`)).toEqual([password]);
});

test.each([
  'checkpoint1ID',
  'log4j',
  'base64url',
  'first8chars',
  'e2e-test@example.com',
  'bun@1.3.14',
  'src/p4ssage/r00t.ts',
  'message-%03d',
  '46f74c20^1',
  'issue#1234',
  'return!1',
  'toolu_01P5e3qqYS2pwM1cac67JAof',
  '9f86d081884c7d65',
  '1Password',
  'session2!',
])('%s is none', (word) => {
  expect(found(`see ${word} here`)).toEqual([]);
});
