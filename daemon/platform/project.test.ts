import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { branchScope, identifyProject, normaliseRemote } from './project.ts';

const QUIET = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', PATH: process.env.PATH };

function git(folder: string, ...args: string[]): void {
  const who = [
    '-c',
    'user.name=Ada',
    '-c',
    'user.email=ada@example.org',
    '-c',
    'protocol.file.allow=always',
    '-c',
    'init.defaultBranch=main',
  ];
  execFileSync('git', [...who, ...args], { cwd: folder, env: QUIET, stdio: 'pipe' });
}

function repository(folder: string, remote?: string): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
  if (remote) git(folder, 'remote', 'add', 'origin', remote);
  return folder;
}

describe('normaliseRemote', () => {
  test.each([
    'git@github.com:Acme/Shop.git',
    'git@github.com:acme/shop',
    'https://github.com/acme/shop.git',
    'https://github.com/acme/shop/',
    'https://ada:t0k3n@github.com/acme/shop.git',
    'https://ada:p@ss@github.com/acme/shop.git',
    'ssh://git@github.com/acme/shop.git',
    'ssh://git@github.com:22/acme/shop.git',
    'git+ssh://git@github.com/acme/shop',
    'git://github.com/acme//shop.git/',
    'github.com:acme/shop.git',
  ])('%s is github.com/acme/shop', (url) => {
    expect(normaliseRemote(url)).toBe('github.com/acme/shop');
  });

  test('a local path stays as it is, in its own case', () => {
    expect(normaliseRemote('/srv/git/Shop.git')).toBe('/srv/git/Shop');
    expect(normaliseRemote('file:///srv/git/Shop.git')).toBe('/srv/git/Shop');
    expect(normaliseRemote('../shop.git', '/home/ada/one')).toBe('/home/ada/shop');
    expect(normaliseRemote('../shop.git', '/home/eve/one')).toBe('/home/eve/shop');
  });
});

describe('identifyProject', () => {
  test('a clone is known by its remote, from any folder in it', () => {
    const root = repository(join(tempFolder(), 'clone'), 'git@github.com:acme/shop.git');
    mkdirSync(join(root, 'src', 'deep'), { recursive: true });
    const expected = { id: 'github.com/acme/shop', name: 'shop', root, branch: 'main' };
    expect(identifyProject(root)).toMatchObject(expected);
    expect(identifyProject(join(root, 'src', 'deep'))).toMatchObject(expected);
    expect(identifyProject(join(root, 'src', 'deleted', 'since'))).toMatchObject(expected);
  });

  test('origin is preferred to other remotes, and any remote to none', () => {
    const root = repository(join(tempFolder(), 'clone'));
    git(root, 'remote', 'add', 'fork', 'https://github.com/ada/shop.git');
    expect(identifyProject(root)?.id).toBe('github.com/ada/shop');
    git(root, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git');
    expect(identifyProject(root)?.id).toBe('github.com/acme/shop');
  });

  test('a worktree shares the project and has its own branch', () => {
    const folder = tempFolder();
    for (const [name, remote] of [
      ['with', 'https://github.com/acme/shop.git'],
      ['without', undefined],
    ] as const) {
      const root = repository(join(folder, name), remote);
      git(root, 'worktree', 'add', '-q', '-b', 'feature/tax', join(folder, `${name}-tree`));
      const tree = identifyProject(join(folder, `${name}-tree`));
      expect(tree).toMatchObject({
        id: identifyProject(root)?.id,
        name: identifyProject(root)?.name,
        root: join(folder, `${name}-tree`),
        branch: 'feature/tax',
      });
    }
  });

  test('worktrees of a bare repository share its name', () => {
    const folder = tempFolder();
    const source = repository(join(folder, 'source'));
    git(folder, 'clone', '-q', '--bare', source, 'shop.git');
    git(join(folder, 'shop.git'), 'remote', 'remove', 'origin');
    git(join(folder, 'shop.git'), 'worktree', 'add', '-q', join(folder, 'tree'), 'main');
    expect(identifyProject(join(folder, 'tree'))).toMatchObject({
      id: `git:${join(folder, 'shop.git')}`,
      name: 'shop',
    });
  });

  test('a submodule is identified by its own remote', () => {
    const folder = tempFolder();
    const library = repository(join(folder, 'library'));
    const root = repository(join(folder, 'app'), 'https://github.com/acme/app.git');
    git(root, 'submodule', '-q', 'add', library, 'vendor/library');
    expect(identifyProject(join(root, 'vendor', 'library'))).toMatchObject({
      id: library,
      name: 'library',
      root: join(root, 'vendor', 'library'),
    });
    expect(identifyProject(join(root, 'vendor'))?.id).toBe('github.com/acme/app');
  });

  test('without a remote a repository is identified by its git folder, through any link', () => {
    const folder = tempFolder();
    const root = repository(join(folder, 'shop'));
    symlinkSync(root, join(folder, 'link'));
    expect(identifyProject(root)).toMatchObject({ id: `git:${root}`, name: 'shop' });
    expect(identifyProject(join(folder, 'link'))).toEqual(identifyProject(root));
  });

  test('a plain folder is known by its path', () => {
    const folder = join(tempFolder(), 'notes');
    mkdirSync(folder);
    expect(identifyProject(folder)).toEqual({
      id: folder,
      name: 'notes',
      root: folder,
      branch: null,
      trunk: null,
    });
  });

  test('the home folder, the root and relative paths belong to no project', () => {
    const home = tempFolder();
    symlinkSync(home, `${home}-link`);
    expect(identifyProject(home, home)).toBeNull();
    expect(identifyProject(`${home}-link`, home)).toBeNull();
    expect(identifyProject(home, `${home}-link`)).toBeNull();
    rmSync(`${home}-link`);
    expect(identifyProject('/', home)).toBeNull();
    expect(identifyProject('', home)).toBeNull();
    expect(identifyProject('src', home)).toBeNull();
  });

  test('a dotfiles repository in the home folder does not claim the folders below it', () => {
    const home = repository(join(tempFolder(), 'home'), 'https://github.com/ada/dotfiles.git');
    mkdirSync(join(home, 'work'));
    const shop = repository(join(home, 'shop'), 'https://github.com/acme/shop.git');
    expect(identifyProject(home, home)).toBeNull();
    expect(identifyProject(join(home, 'work'), home)?.id).toBe(join(home, 'work'));
    expect(identifyProject(shop, home)?.id).toBe('github.com/acme/shop');
  });

  test('a detached head has no branch, a broken .git file no repository', () => {
    const folder = tempFolder();
    const root = repository(join(folder, 'shop'));
    git(root, 'checkout', '-q', '--detach');
    expect(identifyProject(root)?.branch).toBeNull();
    mkdirSync(join(folder, 'odd'));
    writeFileSync(join(folder, 'odd', '.git'), 'nonsense');
    expect(identifyProject(join(folder, 'odd'))?.id).toBe(join(folder, 'odd'));
  });
});

test('the trunk is the default branch of the remote, else the one git makes by default', () => {
  const folder = tempFolder();
  const source = repository(join(folder, 'source'));
  git(source, 'checkout', '-q', '-b', 'mainline');
  git(folder, 'clone', '-q', source, 'clone');
  expect(identifyProject(join(folder, 'clone'))).toMatchObject({ branch: 'mainline', trunk: 'mainline' });
  expect(identifyProject(source, join(folder, 'home'))?.trunk).toBeNull();
  mkdirSync(join(folder, 'home'));
  writeFileSync(
    join(folder, 'home', '.gitconfig'),
    '[user]\n\tname = Ada\n[init]\n\tdefaultBranch = stable\n',
  );
  expect(identifyProject(source, join(folder, 'home'))?.trunk).toBe('stable');
});

test('the trunk and a detached head are not a scope', () => {
  for (const branch of ['main', 'master', 'develop', 'trunk', 'HEAD', '', null, undefined])
    expect(branchScope(branch)).toBeNull();
  expect(branchScope('feature/tax')).toBe('feature/tax');
  expect(branchScope('mainline', 'mainline')).toBeNull();
});
