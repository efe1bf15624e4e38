import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, ROOT } from './daemon-process.ts';

/** Builds the daemon again where a source is newer: a bench measures the built product. */
export function buildDaemon(say: (line: string) => void): void {
  const built = statSync(join(DIST, 'main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(ROOT, 'daemon'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.[cm]?ts$/.test(entry.name),
  );
  const isOld = sources.some(
    (entry) =>
      !/[\\/]bench(?:[\\/]|$)/.test(entry.parentPath) &&
      statSync(join(entry.parentPath, entry.name)).mtimeMs > built,
  );
  if (!isOld && existsSync(join(DIST, 'hook.cjs'))) return;
  say('building the daemon');
  execFileSync(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'),
      'build',
      '--config',
      join('daemon', 'vite.config.ts'),
    ],
    { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] },
  );
}
