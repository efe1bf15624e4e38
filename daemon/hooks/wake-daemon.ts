import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { daemonEnvironment } from '#contract/daemon-environment.ts';
import { runFolder } from '#contract/run-folder.ts';
import { carriedNode } from '../bin/carried-node.cjs';

const RETRY_AFTER = 60_000; // ms; hooks run many times a minute, and each would otherwise try to start a daemon that cannot start
const OLDEST_NODE = 22;

/** Starts the daemon of an existing home in the background, for the next hook; not when a person has stopped it. */
export function wakeDaemon(
  home: string,
  environment: NodeJS.ProcessEnv,
  now: number,
  daemon = join(import.meta.dirname, 'main.js'),
): void {
  const run = runFolder(home);
  const woken = join(run, 'woken');
  const node = nodeFor();
  if (
    /^(?:0|false|off|no)$/i.test(environment.REFLECT_HOOK_WAKE ?? '') ||
    !node ||
    !existsSync(daemon) ||
    !existsSync(join(home, 'reflect.db')) ||
    existsSync(join(run, 'stay-stopped'))
  )
    return;
  if (now - (statSync(woken, { throwIfNoEntry: false })?.mtimeMs ?? 0) < RETRY_AFTER) return;
  mkdirSync(run, { recursive: true, mode: 0o700 });
  writeFileSync(woken, '');
  // Loaded only here, because it would cost every hook some milliseconds.
  process
    .getBuiltinModule('node:child_process')
    .spawn(node, [daemon], {
      cwd: home,
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
      env: { ...daemonEnvironment(environment), REFLECT_HOME: home },
    })
    .unref();
}

/** Agents run hooks with any Node they find; the daemon needs a recent one. */
function nodeFor(): string | undefined {
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return process.execPath;
  return carriedNode(join(import.meta.dirname, '..', '..'));
}
