import { expect, test } from 'vitest';
import { setKey } from './toml.ts';

const TEXT = `# mine
NOTE = """
[not a table]
OTHER = 1
"""
OTHER = 2 # kept until it is set

[events.on]
"learning.kept" = "say"
`;

test('a value that spans lines is replaced as a whole, and comments, order and tables stay', () => {
  expect(setKey(TEXT, 'NOTE', 'short')).toBe(
    '# mine\nOTHER = 2 # kept until it is set\nNOTE = "short"\n\n[events.on]\n"learning.kept" = "say"\n',
  );
});

test('a key is set before the first table, and removed only there', () => {
  expect(setKey('[a]\nkey = 1\n', 'key', 2)).toBe('key = 2\n\n[a]\nkey = 1\n');
  expect(setKey('key = 2\n\n[a]\nkey = 1\n', 'key', undefined)).toBe('[a]\nkey = 1\n');
  expect(setKey(TEXT, 'OTHER', undefined)).toContain('[not a table]\nOTHER = 1\n"""');
});
