import { expect, test } from 'vitest';
import { openableAddress } from './openable-address.ts';

test.each(['https://example.org/a?b=c#d', 'http://example.org/', 'mailto:ada@example.org'])(
  '%s is opened outside',
  (address) => {
    expect(openableAddress(address)).toBe(address);
  },
);

test.each([
  'javascript:alert(1)',
  'data:text/html,hi',
  'file:///etc/passwd',
  'smb://server/share',
  'vbscript:x',
  'ms-msdt:/id',
  'app://reflect/',
  'JAVASCRIPT:alert(1)',
  ' java\nscript:alert(1)',
  '/etc/passwd',
  '--help',
  '',
])('%j is not', (address) => {
  expect(openableAddress(address)).toBeUndefined();
});
