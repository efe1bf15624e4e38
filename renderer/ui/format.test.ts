import { expect, test } from 'vitest';
import { formatAgo, formatBytes, formatMs, shortPath } from './format.ts';

test('bytes are shown in the unit a person would use', () => {
  expect(formatBytes(0)).toBe('0 B');
  expect(formatBytes(1_500)).toBe('1.5 kB');
  expect(formatBytes(312_000_000)).toBe('312 MB');
});

test('times are shown as how long ago, without ticking seconds', () => {
  const now = 1_800_000_000_000;
  expect(formatAgo(now - 5_000, now)).toBe(formatAgo(now - 40_000, now));
  expect(formatAgo(now - 3 * 86_400_000, now)).toMatch(/3 days ago/);
  expect(formatAgo(now - 8 * 86_400_000, now)).toBe('last week');
});

test('short times keep a decimal, long ones do not', () => {
  expect(formatMs(1.26)).toBe('1.3 ms');
  expect(formatMs(18.4)).toBe('18 ms');
});

test('a long path keeps its end', () => {
  expect(shortPath('/a/b/c/d.md')).toBe('…/c/d.md');
  expect(shortPath('d.md')).toBe('d.md');
});
