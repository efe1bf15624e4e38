import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { gitRepository } from '../testing/git-repository.ts';
import { runDaemon } from '../testing/running-daemon.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

test(
  'a note added on a branch is the project’s, and with --branch the branch’s; show says why',
  { timeout: 60_000 },
  async () => {
    const { home, call } = await runDaemon();
    const { root, git } = gitRepository();
    git('checkout', '--quiet', '-b', 'feat/tax');
    const reflect = (...args: string[]) =>
      new Promise<string>((resolve) => {
        const env = { PATH: process.env.PATH, HOME: process.env.HOME, REFLECT_HOME: home, NO_COLOR: '1' };
        execFile(process.execPath, [MAIN, ...args], { cwd: root, env }, (_, out, err) =>
          resolve((out + err).trim()),
        );
      });
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
    expect(await reflect('add', 'Rates are strings', '--branch')).toContain('No branch is checked out here');
  },
);
