import { expect, test } from 'vitest';
import { formatAgo, formatBytes, formatMs, formatPercent, withTilde } from './format.ts';

test('bytes are shown in the unit a person would use', () => {
  expect(formatBytes(0)).toBe('0 B');
  expect(formatBytes(1_500)).toBe('1.5 kB');
  expect(formatBytes(312_000_000)).toBe('312 MB');
});

test('times are shown as how long ago, without ticking seconds', () => {
  const now = 1_800_000_000_000;
  expect([5_000, 40_000, 60_000].map((ms) => formatAgo(now - ms, now))).toEqual([
    'just now',
    'just now',
    '1 minute ago',
  ]);
  expect(formatAgo(now - 3 * 86_400_000, now)).toMatch(/3 days ago/);
  expect(formatAgo(now - 8 * 86_400_000, now)).toBe('last week');
});

test('a share is shown in percent', () => {
  expect([0, 0.126, 1].map(formatPercent)).toEqual(['0%', '13%', '100%']);
});

test('short times keep a decimal, long ones do not', () => {
  expect(formatMs(1.26)).toBe('1.3 ms');
  expect(formatMs(18.4)).toBe('18 ms');
});

test('the home folder is written as ~, wherever a text names it', () => {
  expect(withTilde('/home/ada/.claude/projects', '/home/ada')).toBe('~/.claude/projects');
  expect(withTilde('C:\\Users\\Ada\\.codex', 'C:\\Users\\Ada')).toBe('~\\.codex');
  expect(withTilde('hooks in /home/ada/.claude are old', '/home/ada')).toBe('hooks in ~/.claude are old');
  expect(withTilde('/home/adam/notes', '/home/ada')).toBe('/home/adam/notes');
  expect(withTilde('/srv/notes', '/')).toBe('/srv/notes');
  expect(withTilde('/srv/notes')).toBe('/srv/notes');
});
