import { expect, test } from 'vitest';
import { projectName } from './format.ts';
import { named, projectNames } from './project-names.ts';

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

test('a worktree that is only a number is called after its repository', () => {
  const ids = ['/srv/ada/cli', '/srv/ada/cli/.worktrees/2', '/srv/ada/cli/.worktrees/ent-95'];
  expect(ids.map(projectNames(ids))).toEqual(['cli', 'cli/2', 'ent-95']);
  expect(projectName('/srv/ada/cli/.worktrees/2')).toBe('cli/2');
});

test('a list of projects names each so that it is told apart', () => {
  const projects = [{ id: '/srv/ada/cli' }, { id: '/srv/bob/cli' }, { id: 'github.com/acme/shop' }];
  expect(named(projects).map(({ name }) => name)).toEqual(['ada/cli', 'bob/cli', 'shop']);
  expect(named()).toEqual([]);
});

test('no project has no name, and one alone needs only its last part', () => {
  expect(projectNames(['', '/a/b'])('')).toBe('');
  expect(projectNames([])('github.com/acme/cli')).toBe('cli');
});
