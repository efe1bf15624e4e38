import { styleText } from 'node:util';
import { expect, test } from 'vitest';
import { toJson, withoutControls } from './output.ts';

test.each([
  ['the title of the window', 'Use \u001B]0;owned\u0007 make', 'Use ]0;owned make'],
  ['the screen', 'Use \u001B[2J make', 'Use [2J make'],
  ['the clipboard', 'Use \u001B]52;c;ZXZpbA==\u001B\\ make', 'Use ]52;c;ZXZpbA==\\ make'],
  ['the screen in one character', 'Use \u009B2J make', 'Use 2J make'],
  ['the order of letters', 'Use \u202Ekam\u202C make', 'Use kam make'],
  ['what only an agent reads', 'Use \u{E0049}\u{E0067}\u200B make', 'Use  make'],
  ['the line before it', 'Delete all\rKeep all', 'Delete allKeep all'],
])('a note cannot change %s', (_what, note, shown) => {
  expect(withoutControls(note)).toBe(shown);
});

test('bold, dim, tabs and new lines stay', () => {
  const text = `${styleText('bold', 'a', { validateStream: false })}\t${styleText('dim', 'b', { validateStream: false })}\nc`;
  expect(withoutControls(text)).toBe(text);
});

test('emoji and scripts that need joiners stay', () => {
  const text = '👨‍👩‍👧 می‌خواهم ❤️';
  expect(withoutControls(text)).toBe(text);
});

test('JSON has every control character as an escape, and reads back the same', () => {
  const note = { title: 'Use \u009B2J and \u001B[2J' };
  expect(toJson(note)).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
  expect(JSON.parse(toJson(note))).toEqual(note);
});
