import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from './temp-home.ts';

const START = Date.UTC(2026, 0, 1) / 1_000; // seconds
const LATER = 60; // minutes: after all that was done in a repository before it was copied

export interface GitRepository {
  root: string;
  /** Runs git in the repository and returns what it says. */
  git: (...args: string[]) => string;
  /** Writes a file and commits it, a minute after the commit before. */
  commit: (file: string, text: string, message?: string) => string;
}

/**
 * A real repository in a folder of its own, untouched by the settings of this machine: with one commit on its trunk, or
 * as `from` left it. Its dates are fixed, or today's.
 */
export function gitRepository({
  from = '',
  root = join(tempFolder(), 'shop'),
  isDated = true,
} = {}): GitRepository {
  let minutes = from === '' ? 0 : LATER;
  const git = (...args: string[]) => {
    const date = `@${START + 60 * minutes++} +0000`;
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
      env: {
        PATH: process.env['PATH'],
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_SYSTEM: '/dev/null',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.test',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.test',
        ...(isDated ? { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date } : {}),
      },
    }).trim();
  };
  const commit: GitRepository['commit'] = (file, text, message = `Write ${file}`) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    git('add', file);
    git('commit', '--quiet', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  mkdirSync(root, { recursive: true });
  if (from !== '') cpSync(from, root, { recursive: true });
  else {
    git('init', '--quiet', '--initial-branch=main');
    commit('README.md', 'A shop.\n');
  }
  return { root, git, commit };
}
