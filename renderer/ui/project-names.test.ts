import { expect, test } from 'vitest';
import { projectNames } from './project-names.ts';

test('a project is called by its last part, and by more of it where another has the same', () => {
  const ids = [
    'github.com/acme/cli',
    'github.com/umbrella/cli',
    'git:/srv/ada/shop',
    '/srv/ada/1',
    '/srv/bob/1',
  ];
  expect(ids.map(projectNames(ids))).toEqual(['acme/cli', 'umbrella/cli', 'shop', 'ada/1', 'bob/1']);
});

test('no project has no name, and one alone needs only its last part', () => {
  expect(projectNames(['', '/a/b'])('')).toBe('');
  expect(projectNames([])('github.com/acme/cli')).toBe('cli');
});
