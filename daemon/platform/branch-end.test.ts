import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { gitRepository } from '../testing/git-repository.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { branchEnd } from './branch-end.ts';

const BRANCH = 'feat/tax';
const endOf = (root: string, branch = BRANCH, signal = AbortSignal.timeout(60_000)) =>
  branchEnd(root, branch, signal);

/** A branch of two commits, and a trunk that went on meanwhile. Made once, because git takes most of the time. */
const made = mkdtempSync(join(tmpdir(), 'reflect-diverged-'));
beforeAll(() => {
  const { git, commit } = gitRepository({ root: made });
  git('checkout', '--quiet', '-b', BRANCH);
  commit('tax.ts', 'export const rate = 0.19;\n', 'Add the tax');
  commit('tax.test.ts', 'test(rate);\n', 'Test the tax');
  git('checkout', '--quiet', 'main');
  commit('cart.ts', 'export const cart = [];\n', 'Add the cart');
  return () => rmSync(made, { recursive: true });
});
const diverged = () => gitRepository({ from: made });

describe('a branch goes on', () => {
  test('while it has commits that the trunk lacks', async () => {
    expect(await endOf(diverged().root)).toBeNull();
  });

  test('when it was just made, even if the trunk moved on since', async () => {
    const { root, git, commit } = gitRepository();
    git('branch', BRANCH);
    expect(await endOf(root)).toBeNull();
    commit('cart.ts', 'cart\n');
    expect(await endOf(root)).toBeNull();
  });

  test('when it is checked out and has no commit yet', async () => {
    const { root, git } = gitRepository();
    git('checkout', '--quiet', '--orphan', BRANCH);
    expect(await endOf(root)).toBeNull();
  });

  test('when it was merged once and has work since', async () => {
    const { root, git, commit } = diverged();
    git('merge', '--quiet', '--no-ff', '--no-edit', BRANCH);
    git('checkout', '--quiet', BRANCH);
    commit('vat.ts', 'vat\n');
    expect(await endOf(root)).toBeNull();
  });
});

describe('a branch ended', () => {
  test('by a merge commit, whatever is checked out and from any working tree', async () => {
    const { root, git } = diverged();
    git('merge', '--quiet', '--no-ff', '--no-edit', BRANCH);
    expect(await endOf(root)).toBe('branch feat/tax was merged into main');
    git('checkout', '--quiet', '--detach');
    expect(await endOf(root)).toBe('branch feat/tax was merged into main');
    git('worktree', 'add', '--quiet', join(root, '..', 'tree'), BRANCH);
    expect(await endOf(join(root, '..', 'tree'))).toBe('branch feat/tax was merged into main');
  });

  test('by a fast-forward', async () => {
    const { root, git, commit } = gitRepository();
    git('checkout', '--quiet', '-b', BRANCH);
    commit('tax.ts', 'tax\n');
    git('checkout', '--quiet', 'main');
    git('merge', '--quiet', '--ff-only', BRANCH);
    expect(await endOf(root)).toBe('branch feat/tax was merged into main');
  });

  test('by a squash, which leaves the repository as it was', async () => {
    const { root, git, commit } = diverged();
    git('merge', '--quiet', '--squash', BRANCH);
    git('commit', '--quiet', '--message', 'Taxes');
    commit('cart.ts', 'export const cart = [1];\n');
    const objects = () => readdirSync(join(root, '.git', 'objects'), { recursive: true }).length;
    const before = objects();
    expect(await endOf(root)).toBe('branch feat/tax was squashed into main');
    expect(objects()).toBe(before);
  });

  test('by a rebase of its commits', async () => {
    const { root, git } = diverged();
    git('cherry-pick', `main..${BRANCH}`);
    expect(await endOf(root)).toBe('branch feat/tax was rebased and merged into main');
  });

  test.each([
    ['Merge pull request #12 from ada/feat/tax', '', 'merged'],
    ["Merge branch 'feat/tax' into 'main'", '', 'merged'],
    ['Merged in feat/tax (pull request #12)', '', 'merged'],
    ['Feat/tax (#12)', '', 'squashed'],
    ['Taxes at last (#12)', '* Add the tax\n\n* Test the tax', 'squashed'],
  ])('by what a forge says after it resolved conflicts: %s', async (subject, body, how) => {
    const { root, git, commit } = diverged();
    commit('tax.ts', 'export const rate = 0.2; // resolved\n', `${subject}\n\n${body}`);
    expect(await endOf(root)).toBe(`branch feat/tax was ${how} into main`);
    git('checkout', '--quiet', BRANCH);
    commit('vat.ts', 'more work\n');
    expect(await endOf(root)).toBeNull();
  });

  test.each(['Merge pull request #12 from ada/feat/tax-engine', 'Taxes (#12)', 'Feat/tax'])(
    'not by what a forge says of another: %s',
    async (subject) => {
      const { root, commit } = diverged();
      commit('tax.ts', 'resolved\n', subject);
      expect(await endOf(root)).toBeNull();
    },
  );

  test('when it is gone here and on the remote, and not before', async () => {
    const { root, git } = diverged();
    git('update-ref', `refs/remotes/origin/${BRANCH}`, BRANCH);
    git('branch', '--quiet', '-D', BRANCH);
    expect(await endOf(root)).toBeNull();
    git('update-ref', '-d', `refs/remotes/origin/${BRANCH}`);
    expect(await endOf(root)).toBe('branch feat/tax is gone');
  });

  test('when it is gone, with how it was merged if that is known', async () => {
    const { root, git } = diverged();
    git('merge', '--quiet', '--no-ff', '--no-edit', BRANCH);
    git('branch', '--quiet', '-d', BRANCH);
    expect(await endOf(root)).toBe('branch feat/tax was merged into main and deleted');
  });

  test('when it became the trunk', async () => {
    const { root, git } = diverged();
    git('update-ref', `refs/remotes/origin/${BRANCH}`, BRANCH);
    git('symbolic-ref', 'refs/remotes/origin/HEAD', `refs/remotes/origin/${BRANCH}`);
    expect(await endOf(root)).toBe('feat/tax is the trunk');
  });
});

describe('the trunk', () => {
  test.each(['master', 'develop', 'trunk'])('may be called %s', async (trunk) => {
    const { root, git } = diverged();
    git('branch', '--move', 'main', trunk);
    git('merge', '--quiet', '--no-ff', '--no-edit', BRANCH);
    expect(await endOf(root)).toBe(`branch feat/tax was merged into ${trunk}`);
  });

  test('may be called anything that the remote or the configuration says, also after a renaming', async () => {
    const { root, git } = diverged();
    git('merge', '--quiet', '--no-ff', '--no-edit', BRANCH);
    git('branch', '--move', 'main', 'stable');
    expect(await endOf(root)).toBeNull();
    git('config', 'init.defaultBranch', 'stable');
    expect(await endOf(root)).toBe('branch feat/tax was merged into stable');
    git('update-ref', 'refs/remotes/origin/main', `${BRANCH}~2`);
    git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    expect(await endOf(root)).toBeNull();
  });

  test('may be merged only on the remote', async () => {
    const { root, git } = diverged();
    const before = git('rev-parse', 'main');
    git('merge', '--quiet', '--no-ff', '--no-edit', BRANCH);
    git('update-ref', 'refs/remotes/origin/main', 'main');
    git('reset', '--quiet', '--hard', before);
    expect(await endOf(root)).toBe('branch feat/tax was merged into main');
  });
});

test('without an answer from git nobody can tell', async () => {
  const { root } = diverged();
  expect(await endOf(root, BRANCH, AbortSignal.abort())).toBeNull();
  expect(await endOf(tempFolder())).toBeNull();
  expect(await endOf(join(tempFolder(), 'gone'))).toBeNull();
  const bare = tempFolder();
  execFileSync('git', ['init', '--quiet', bare]);
  expect(await endOf(bare)).toBeNull();
  rmSync(join(root, '.git', 'HEAD'));
  expect(await endOf(root)).toBeNull();
});

test('nothing that a repository configures is run', async () => {
  const { root, git } = diverged();
  const touched = join(tempFolder(), 'touched');
  for (const setting of ['core.fsmonitor', 'diff.external', 'gpg.program', 'core.pager', 'core.sshCommand'])
    git('config', setting, `touch ${touched}`);
  git('config', 'log.showSignature', 'true');
  await endOf(root);
  expect(readdirSync(join(touched, '..'))).toEqual([]);
});
