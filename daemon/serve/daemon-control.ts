import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DaemonError } from '#contract/errors.ts';
import { readRunFile } from '../platform/lock.ts';
import type { Paths } from '../platform/paths.ts';
import { connectTo } from './connect.ts';
import { daemonEnvironment } from './daemon-environment.ts';

const BUILT = !import.meta.url.endsWith('.ts');
const DAEMON = fileURLToPath(new URL(BUILT ? './main.js' : '../main.ts', import.meta.url));
const PATIENCE = 15_000; // ms

/** Starts the daemon as a process of its own and waits until it answers. */
export async function startInBackground(paths: Paths, extra: string[] = []): Promise<void> {
  const child = spawn(process.execPath, [DAEMON, ...extra], {
    detached: true, stdio: 'ignore', windowsHide: true, env: { ...daemonEnvironment(process.env), REFLECT_HOME: paths.home },
  });
  let failed = false;
  child.once('exit', (code) => (failed = code !== 0));
  child.once('error', () => (failed = true));
  child.unref();
  await until(async () => {
    if (failed) throw new DaemonError('unreachable', `it did not start; \`reflect serve\` shows why, its log is in ${paths.logs}`);
    return answers(paths);
  });
}

export async function stopDaemon(paths: Paths): Promise<boolean> {
  const run = readRunFile(paths.runFile);
  const open = await connectTo(paths);
  if (!open || !run) return false;
  await open.connection.send('daemon.stop', {});
  open.close();
  await until(() => Promise.resolve(!isAlive(run.pid)));
  return true;
}

async function answers(paths: Paths): Promise<boolean> {
  const open = await connectTo(paths);
  open?.close();
  return open !== null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new DaemonError('timed-out');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
