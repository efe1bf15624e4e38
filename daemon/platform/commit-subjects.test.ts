import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commitSubjects } from './commit-subjects.ts';

function repository() {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-commits-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'repo');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  git('init', '--quiet', '--initial-branch=main', root);
  return {
    folder,
    root,
    git: (...args: string[]) => git('-C', root, ...args),
    commit: (...args: string[]) => git('-C', root, 'commit', '--quiet', '--allow-empty', ...args),
  };
}

test('subjects come newest first, an amended one once, moves of the head not at all', () => {
  const { root, git, commit } = repository();
  expect(commitSubjects(root, 5)).toEqual([]);
  commit('-m', 'Round the EU VAT per line');
  commit('-m', 'Fix: tabs in subjects');
  git('checkout', '--quiet', '-b', 'feat/x');
  commit('-m', 'Same words');
  commit('--amend', '-m', 'Same words');
  expect(commitSubjects(root, 5)).toEqual([
    'Same words',
    'Fix: tabs in subjects',
    'Round the EU VAT per line',
  ]);
  expect(commitSubjects(root, 1)).toEqual(['Same words']);
});

test('a worktree has its own log', () => {
  const { folder, root, git, commit } = repository();
  commit('-m', 'In the main tree');
  const tree = join(folder, 'tree');
  git('worktree', 'add', '--quiet', tree);
  execFileSync(
    'git',
    [
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.org',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'In the worktree',
    ],
    { cwd: tree },
  );
  expect(commitSubjects(tree, 5)).toEqual(['In the worktree']);
  expect(commitSubjects(root, 5)).toEqual(['In the main tree']);
});

test('without a repository there are no subjects', () => {
  const { folder } = repository();
  expect(commitSubjects(folder, 5)).toEqual([]);
});
