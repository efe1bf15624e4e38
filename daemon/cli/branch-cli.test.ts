import { expect, test } from 'vitest';
import { runCli } from '../testing/command-line.ts';
import { gitRepository } from '../testing/git-repository.ts';
import { runDaemon } from '../testing/running-daemon.ts';

test('a note added on a branch is the project’s, and with --branch the branch’s; show says why', async () => {
  const { home, call } = await runDaemon();
  const { root, git } = gitRepository();
  git('checkout', '--quiet', '-b', 'feat/tax');
  const reflect = async (...args: string[]) => {
    const { out, err } = await runCli(home, args, { cwd: root });
    return (out + err).trim();
  };
  const branchOf = async (id: string) => (await call('learnings.get', { id })).branch;

  expect(await branchOf(await reflect('add', 'Never round before the discount'))).toBeNull();
  const bound = await reflect('add', 'Rates are integers', '--branch');
  expect(await branchOf(bound)).toBe('feat/tax');
  expect(await reflect('show', bound)).toContain('Only on feat/tax: it was added for this branch.');
  await reflect('edit', bound, '--no-branch');
  expect(await branchOf(bound)).toBeNull();
  await reflect('edit', bound, '--branch', 'feat/cart');
  expect(await branchOf(bound)).toBe('feat/cart');

  git('checkout', '--quiet', 'main');
  expect(await reflect('add', 'Rates are strings', '--branch')).toContain(
    'Only the main branch is checked out here',
  );
});
