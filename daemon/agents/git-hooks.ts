import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { moveFile } from '../platform/files.ts';
import type { AgentChange } from '#contract/agents.ts';
import { readTextIfExists } from '../platform/read-file.ts';
import { isInside } from '../platform/safe-path.ts';
import { unifiedDiff } from '../text/unified-diff.ts';
import { refuseUnfindable } from './connect.ts';
import { type Launcher, shellLine } from './launcher.ts';
import { InstallError } from './problems.ts';

/** The hooks that tell of new commits: made here, merged or pulled, and rewritten by an amend or a rebase (SG2). */
const GIT_HOOKS = ['post-commit', 'post-merge', 'post-rewrite'] as const;
type GitHook = (typeof GIT_HOOKS)[number];

const MARK = '# Written by `reflect install git`; `reflect uninstall git` restores what was here before.';
const BEFORE = '.before-reflect';

/** Puts our hooks into a repository. A hook that is there already is kept beside ours and still runs first. */
export function installGitHooks(folder: string, launcher: Launcher, dryRun: boolean): AgentChange {
  refuseUnfindable(launcher);
  const place = hooksFolder(folder);
  const plans = GIT_HOOKS.map((hook) => ({ hook, ...stateOf(place, hook), after: hookText(hook, launcher) }));
  for (const { file, kept, isOurs } of plans) {
    refuseShared(folder, file);
    if (!isOurs && existsSync(kept))
      throw new InstallError(`${kept} is in the way: it is where ${file} would be kept. Nothing was changed`);
  }
  if (!dryRun)
    for (const { file, kept, text, isOurs, after } of plans) {
      if (text === after) continue;
      mkdirSync(place, { recursive: true });
      if (text !== null && !isOurs) moveFile(file, kept);
      writeFileSync(file, after);
      chmodSync(file, 0o755);
    }
  return {
    files: plans.map(({ file, kept, text, isOurs, after }) => ({
      file,
      holds: 'hook',
      change: text === after ? 'unchanged' : text === null ? 'created' : 'changed',
      diff: unifiedDiff(file, text, after),
      backup: (text !== null && !isOurs) || existsSync(kept) ? kept : null,
    })),
    notes: [],
  };
}

/** Takes our hooks out again; what was there before is put back as it was. */
export function uninstallGitHooks(folder: string, launcher: Launcher, dryRun: boolean): AgentChange {
  const place = hooksFolder(folder);
  const plans = GIT_HOOKS.map((hook) => ({ hook, ...stateOf(place, hook) })).filter(({ isOurs }) => isOurs);
  for (const { hook, file, text } of plans)
    if (withoutPaths(text ?? '') !== withoutPaths(hookText(hook, launcher)))
      throw new InstallError(
        `${file} was changed since Reflect wrote it; take Reflect's lines out by hand. Nothing was changed`,
      );
  const files = plans.map(({ file, kept, text }) => {
    const original = readTextIfExists(kept);
    return {
      file,
      holds: 'hook',
      change: original === null ? ('removed' as const) : ('changed' as const),
      diff: unifiedDiff(file, text, original),
      backup: null,
    };
  });
  if (!dryRun)
    for (const { file, kept } of plans) {
      rmSync(file);
      if (existsSync(kept)) moveFile(kept, file);
    }
  return { files, notes: [] };
}

interface HookState {
  file: string;
  /** Where the hook that was there before is kept. */
  kept: string;
  text: string | null;
  isOurs: boolean;
}

function stateOf(place: string, hook: GitHook): HookState {
  const file = join(place, hook);
  const text = readTextIfExists(file);
  return { file, kept: `${file}${BEFORE}`, text, isOurs: text?.split('\n')[1] === MARK };
}

/** In the background and silent: git never waits for us and never fails because of us. */
function hookText(hook: GitHook, launcher: Launcher): string {
  const reflect = shellLine(launcher, 'hook', hook, 'git');
  const piped = hook === 'post-rewrite';
  return [
    '#!/bin/sh',
    MARK,
    `before="$0${BEFORE}"`,
    'status=0',
    ...(piped ? ['input=$(cat)'] : []),
    `if [ -x "$before" ]; then ${piped ? `printf '%s\\n' "$input" | ` : ''}"$before" "$@"; status=$?; fi`,
    piped
      ? `(printf '%s\\n' "$input" | ${reflect} >/dev/null 2>&1 &)`
      : `(${reflect} </dev/null >/dev/null 2>&1 &)`,
    'exit $status',
    '',
  ].join('\n');
}

/** A hook that another installation of Reflect wrote differs in the line that starts it. */
const withoutPaths = (text: string) => text.replace(/^\(.*&\)$/m, '');

/** Where git looks for the hooks of this repository: its own folder, that of its main worktree, or core.hooksPath. */
function hooksFolder(folder: string): string {
  const path = git(folder, 'rev-parse', '--git-path', 'hooks');
  if (path === null)
    throw new InstallError('this folder is not in a git repository; go to one and run the command again');
  return resolve(folder, path);
}

/** Hooks that are committed with a repository would carry the paths of this machine to everybody. */
function refuseShared(folder: string, file: string): void {
  const top = git(folder, 'rev-parse', '--show-toplevel');
  const common = git(folder, 'rev-parse', '--git-common-dir');
  if (top === null || common === null || !isInside(resolve(top), file)) return;
  if (isInside(resolve(folder, common), file) || git(folder, 'check-ignore', file) !== null) return;
  throw new InstallError(
    `core.hooksPath of this repository is a folder that is committed with it (${file}), and a hook of Reflect holds paths of this machine; call \`reflect hook post-commit git\` from your own hook instead. Nothing was changed`,
  );
}

/** The answer of git; null when it has none. */
function git(folder: string, ...args: string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trimEnd();
  } catch {
    return null;
  }
}
