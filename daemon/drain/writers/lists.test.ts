import { expect, test } from 'vitest';
import { listsIn } from './lists.ts';

test('a short list is one statement with its introduction', () => {
  expect(
    listsIn(
      'Some words first.\n\nThe importer runs in two cases:\n- When the app starts.\n- After every pull\n\nDone.',
    ),
  ).toEqual(['The importer runs in two cases: When the app starts; After every pull']);
});

test('one item, a long list and a list without an introduction stay as they are', () => {
  expect(listsIn('It reads:\n- one file')).toEqual([]);
  expect(listsIn(`It reads:\n${'- a file\n'.repeat(9)}`)).toEqual([]);
  expect(listsIn('- one\n- two')).toEqual([]);
});
