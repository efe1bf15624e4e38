import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { installGitHooks, uninstallGitHooks } from '../agents/git-hooks.ts';
import { thisLauncher } from '../agents/launcher.ts';
import { pathsOf } from '../platform/paths.ts';
import { identifyProject } from '../platform/project.ts';
import { type GitRepository, gitRepository } from '../testing/git-repository.ts';
import { runDaemon, type RunningDaemon } from '../testing/running-daemon.ts';
import { tempFolder } from '../testing/temp-home.ts';

const CLIENT = fileURLToPath(new URL('../hooks/client.ts', import.meta.url));
const HOOKS = ['post-commit', 'post-merge', 'post-rewrite'];

/** Starts the hook client from source, as `reflect hook` starts the built one. */
function launcherFor(home: string) {
  const script = join(tempFolder(), 'reflect.mjs');
  writeFileSync(script, `process.argv.splice(2, 1); await import(${JSON.stringify(CLIENT)});\n`);
  return { ...thisLauncher(home), script, environment: { REFLECT_HOME: home } };
}

async function world() {
  const daemon = await runDaemon();
  const repository = gitRepository({ isDated: false });
  installGitHooks(repository.root, launcherFor(daemon.home), false);
  return { daemon, ...repository };
}

/** A learning of a session, and the commit that the session then made, as its transcript told. */
async function learnedThenCommitted(
  { daemon, root, commit }: Awaited<ReturnType<typeof world>>,
  session = 'one',
) {
  const project = identifyProject(root)?.id ?? '';
  const note = { title: `Round totals half up in ${session}`, project, provenance: { session } };
  const { learning } = await daemon.call('learnings.create', { note });
  const sha = commit(`${session}.ts`, 'round();\n');
  await daemon.call('capture.commit', { sha, cwd: root, session });
  return { sha, status: async () => (await daemon.call('learnings.get', { id: learning.id })).status };
}

test('SG2: a revert typed in a terminal is seen, and retracts what its session learned', async () => {
  const shop = await world();
  const [mine, other] = [await learnedThenCommitted(shop), await learnedThenCommitted(shop, 'two')];
  shop.git('revert', '--no-edit', mine.sha);
  await expect.poll(mine.status).toBe('reverted');
  expect(await other.status()).toBe('active');
});

test('SG2: a commit that was amended since is still the work of its session', async () => {
  const shop = await world();
  const { status } = await learnedThenCommitted(shop);
  shop.git('commit', '--amend', '--quiet', '--message', 'Round totals');
  shop.git('revert', '--no-edit', 'HEAD');
  await expect.poll(status).toBe('reverted');
});

test('SG2: a revert that comes with a pull is seen', async () => {
  const shop = await world();
  const { status } = await learnedThenCommitted(shop);
  const elsewhere = join(tempFolder(), 'clone');
  shop.git('clone', '--quiet', shop.root, elsewhere);
  shop.git('-C', elsewhere, 'revert', '--no-edit', 'HEAD');
  shop.git('pull', '--quiet', elsewhere, 'main');
  await expect.poll(status).toBe('reverted');
});

test('SG2: a revert that no daemon heard of is seen with the next commit', async () => {
  const shop = await world();
  const { status, sha } = await learnedThenCommitted(shop);
  await hookHasRun(shop.daemon, shop.root, sha);
  shop.git('-c', 'core.hooksPath=/dev/null', 'revert', '--no-edit', 'HEAD');
  shop.commit('menu.ts', 'show();\n');
  await expect.poll(status).toBe('reverted');
});

test('SG2: a revert that no daemon heard of is seen when the next session starts there', async () => {
  const shop = await world();
  const { status, sha } = await learnedThenCommitted(shop);
  await hookHasRun(shop.daemon, shop.root, sha);
  shop.git('-c', 'core.hooksPath=/dev/null', 'revert', '--no-edit', 'HEAD');
  const payload = { cwd: shop.root, session_id: 'two' };
  await shop.daemon.call('hook.run', { agent: 'claude-code', event: 'SessionStart', payload });
  await expect.poll(status).toBe('reverted');
});

/** The hook of that commit runs in the background; the next one starts from where it was. */
const hookHasRun = (daemon: RunningDaemon, root: string, sha: string) =>
  expect
    .poll(() => {
      const db = new Database(pathsOf(daemon.home).database, { readonly: true });
      const seen = db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(`git-seen:${root}`);
      db.close();
      return seen;
    })
    .toBe(sha);

const withHook = ({ root }: GitRepository, text: string) => {
  const file = join(root, '.git', 'hooks', 'post-commit');
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
};

test('SG2: a hook that was there runs first, whatever its language, and is restored to the byte', () => {
  const repository = gitRepository();
  const ran = join(repository.root, 'ran.txt');
  const theirs = `#!/usr/bin/env node\nrequire('fs').appendFileSync(${JSON.stringify(ran)}, 'theirs');\n// no newline at the end`;
  const file = withHook(repository, theirs);
  const launcher = launcherFor(tempFolder());
  const { files } = installGitHooks(repository.root, launcher, false);
  expect(files.map(({ change }) => change)).toEqual(['changed', 'created', 'created']);
  repository.commit('cart.ts', 'round();\n');
  expect(readFileSync(ran, 'utf8')).toBe('theirs');
  const again = installGitHooks(repository.root, launcher, false).files;
  expect(again.map(({ change }) => change)).toEqual(['unchanged', 'unchanged', 'unchanged']);

  uninstallGitHooks(repository.root, launcher, false);
  expect(readFileSync(file, 'utf8')).toBe(theirs);
  expect(statSync(file).mode & 0o777).toBe(0o755);
  expect(HOOKS.filter((hook) => existsSync(join(repository.root, '.git', 'hooks', hook)))).toEqual([
    'post-commit',
  ]);
  expect(uninstallGitHooks(repository.root, launcher, false).files).toEqual([]);
});

test('SG2: a dry run changes nothing; a hook edited since, or a folder that is committed, is refused', () => {
  const repository = gitRepository();
  const launcher = launcherFor(tempFolder());
  expect(installGitHooks(repository.root, launcher, true).files[0]?.diff).toContain('+#!/bin/sh');
  const file = join(repository.root, '.git', 'hooks', 'post-commit');
  expect(existsSync(file)).toBe(false);

  installGitHooks(repository.root, launcher, false);
  writeFileSync(file, `${readFileSync(file, 'utf8')}echo mine\n`);
  expect(() => uninstallGitHooks(repository.root, launcher, false)).toThrow(
    /was changed since Reflect wrote it/,
  );

  repository.git('config', 'core.hooksPath', '.githooks');
  expect(() => installGitHooks(repository.root, launcher, false)).toThrow(/committed with it/);
  writeFileSync(join(repository.root, '.gitignore'), '.githooks\n');
  installGitHooks(repository.root, launcher, false);
  expect(existsSync(join(repository.root, '.githooks', 'post-rewrite'))).toBe(true);
  expect(() => installGitHooks(tempFolder(), launcher, false)).toThrow(/not in a git repository/);
});
