import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileStat, readTextOrEmpty } from './read-file.ts';

/** The project a folder belongs to. Worktrees and clones of one remote share an id. */
export interface ProjectIdentity {
  id: string;
  name: string;
  root: string;
  branch: string | null;
  /** The default branch, if git says which it is. */
  trunk: string | null;
}

/** The usual names of a trunk. */
export const TRUNKS: readonly string[] = ['main', 'master', 'develop', 'trunk'];

/**
 * Identifies a project by its remote, else git's common folder, else its path. Reads git's files directly: this runs
 * for every record and every hook, and starting `git` would take longer than the whole recall.
 */
export function identifyProject(cwd: string, home = homedir()): ProjectIdentity | null {
  if (!isAbsolute(cwd)) return null;
  // Links are resolved, so that a folder has one identity; git itself writes real paths into its files.
  const folder = realPath(cwd);
  const homeFolder = realPath(home);
  if (folder === homeFolder || folder === dirname(folder)) return null;
  const git = findGit(folder, homeFolder);
  if (!git) return { id: folder, name: basename(folder), root: folder, branch: null, trunk: null };
  const remote = readRemote(join(git.common, 'config'));
  const id = remote ? normaliseRemote(remote, git.root) : `git:${withoutDotGit(git.common)}`;
  return {
    id,
    name: remote ? basename(id) : nameOf(git.common),
    root: git.root,
    branch: readBranch(git.folder),
    trunk: readTrunk(git.common, home),
  };
}

/** The repository's own folder, not the `.git` folder in it. */
const withoutDotGit = (common: string) => (basename(common) === '.git' ? dirname(common) : common);
const nameOf = (common: string) => basename(withoutDotGit(common), '.git');

/** The branch as a scope; null for the trunk and a detached head, whose notes belong to the project. */
export function branchScope(branch: string | null | undefined, trunk: string | null = null): string | null {
  return branch && branch !== 'HEAD' && branch !== trunk && !TRUNKS.includes(branch) ? branch : null;
}

/**
 * `git@host:Owner/repo.git`, `https://user@host/owner/repo` and `ssh://…` of one repository give one id. A path on this
 * machine stays a path: `../repo` means another repository in every folder.
 */
export function normaliseRemote(url: string, root = '/'): string {
  const trimmed = url.trim().replace(/^file:\/\//i, '');
  if (/^[./]/.test(trimmed)) return withoutSuffix(resolve(root, trimmed));
  // Up to the last @ ahead of the path, so that no part of a password becomes part of an id.
  const withoutScheme = trimmed.replace(/^[a-z+]+:\/\//i, '').replace(/^[^/]*@/, '');
  const withPath = withoutScheme.replace(/^([^/:]+):(?!\d+\/)/, '$1/').replace(/^([^/:]+):\d+\//, '$1/');
  return withoutSuffix(withPath).toLowerCase();
}

const withoutSuffix = (path: string) =>
  path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/\/{2,}/g, '/');

/** The git folder of a working tree (in a worktree, `.git` is a file that names it); null without git. */
export const gitFolderOf = (root: string): string | null => gitIn(root)?.folder ?? null;

interface Git {
  root: string;
  folder: string;
  common: string;
}

function findGit(from: string, home: string): Git | null {
  for (let folder = from; ; folder = dirname(folder)) {
    // A dotfiles repository in the home folder would otherwise claim every project below it.
    if (folder === home) return null;
    const found = gitIn(folder);
    if (found) return found;
    if (dirname(folder) === folder) return null;
  }
}

function gitIn(root: string): Git | null {
  const dotGit = join(root, '.git');
  const stat = fileStat(dotGit);
  if (!stat) return null;
  if (stat.isDirectory()) return { root, folder: dotGit, common: dotGit };
  const target = readTextOrEmpty(dotGit).match(/^gitdir: (.+)$/m)?.[1];
  if (!target) return null;
  const folder = resolve(root, target.trim());
  const common = readTextOrEmpty(join(folder, 'commondir')).trim();
  return { root, folder, common: common ? realPath(resolve(folder, common)) : folder };
}

function readRemote(config: string): string | undefined {
  const remotes = [...readTextOrEmpty(config).matchAll(/^\[remote "([^"]+)"\][^[]*?^\s*url\s*=\s*(\S+)/gm)];
  return (remotes.find(([, name]) => name === 'origin') ?? remotes[0])?.[2];
}

/** The default branch of the remote, else the one git makes in a new repository. */
function readTrunk(common: string, home: string): string | null {
  const ofRemote = readTextOrEmpty(join(common, 'refs', 'remotes', 'origin', 'HEAD')).match(
    /^ref: refs\/remotes\/origin\/(.+)$/m,
  )?.[1];
  const configs = [join(common, 'config'), join(home, '.gitconfig'), join(home, '.config', 'git', 'config')];
  const configured = configs.map(
    (config) => readTextOrEmpty(config).match(/^\[init\][^[]*?^\s*defaultBranch\s*=\s*(\S+)/im)?.[1],
  );
  return ofRemote?.trim() ?? configured.find((name) => name !== undefined) ?? null;
}

function readBranch(gitFolder: string): string | null {
  const branch = readTextOrEmpty(join(gitFolder, 'HEAD'))
    .match(/^ref: refs\/heads\/(.+)$/m)?.[1]
    ?.trim();
  // A repository in git's newer `reftable` format keeps its head elsewhere and a stub here.
  return branch && branch !== '.invalid' ? branch : null;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path); // folders in old transcripts are often gone
  }
}
