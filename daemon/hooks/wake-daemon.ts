import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { daemonEnvironment } from '../client/daemon-environment.ts';

const AGAIN = 60_000; // ms; an agent calls hooks many times a minute, and a daemon that cannot start must not be started by each
const OLDEST_NODE = 22;

/** Starts the daemon of a home that has one, beside the agent and for the next hook. A person who stopped it is obeyed. */
export function wakeDaemon(
  home: string,
  environment: NodeJS.ProcessEnv,
  now: number,
  daemon = join(import.meta.dirname, 'main.js'),
): void {
  const run = join(home, 'run');
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
  if (now - (statSync(woken, { throwIfNoEntry: false })?.mtimeMs ?? 0) < AGAIN) return;
  writeFileSync(woken, '');
  // Loaded only here: it would cost every hook some milliseconds.
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

/** Agents run hooks on whatever Node they find; the daemon needs a newer one. */
function nodeFor(): string | null {
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return process.execPath;
  const carried = join(
    import.meta.dirname,
    '..',
    '..',
    'node_modules',
    '.bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  return existsSync(carried) ? carried : null;
}
