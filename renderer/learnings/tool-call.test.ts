import { expect, test } from 'vitest';
import { toolCallText } from './tool-call.ts';

test('a call of a tool is shown line by line', () => {
  expect(toolCallText('Edit {"file_path":"/a/b.ts","replace_all":false,"new_string":"one\\ntwo"}')).toBe(
    'Edit\nfile_path: /a/b.ts\nreplace_all: false\nnew_string: one\ntwo',
  );
});

test('a call that was cut in the middle of a value is shown as far as it goes', () => {
  expect(toolCallText('Write {"path":"a.ts","content":"one\\')).toBe('Write\npath: a.ts\ncontent: one…');
});

test.each(['added 1 package', 'Edit {"file_path":', 'found {"a":1} and {"b":2}', '{"a":1}', ''])(
  'anything else stays as it is: %s',
  (text) => expect(toolCallText(text)).toBe(text),
);
