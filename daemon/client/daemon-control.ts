import { spawn } from 'node:child_process';
import { accessSync, constants, statfsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { daemonEnvironment } from '#contract/daemon-environment.ts';
import { DaemonError } from '#contract/errors.ts';
import { isOlder } from '#contract/run-file.ts';
import type { Paths } from '../platform/paths.ts';
import { VERSION } from '../platform/version.ts';
import { connectTo, type OpenConnection } from './connect.ts';

const BUILT = !import.meta.url.endsWith('.ts');
const DAEMON = fileURLToPath(new URL(BUILT ? './main.js' : '../main.ts', import.meta.url));
const START_TIMEOUT = 15_000; // ms
const HUNG_AFTER = 5_000; // ms without an answer to the request to stop

/** Connects to the daemon of a home; starts it if necessary, and replaces an older one. */
export async function connectOrStart(
  paths: Paths,
  warn: (sentence: string) => void,
  onStart: () => void = () => {},
): Promise<OpenConnection> {
  const running = await connectTo(paths);
  if (running && !isOlder(running.run.version, VERSION)) {
    if (running.run.version !== VERSION) warn(versionGap(running.run.version));
    return running;
  }
  if (running) {
    warn(`the daemon was of version ${running.run.version}; it is restarted as ${VERSION}`);
    running.close();
    await stopDaemon(paths);
  }
  await startInBackground(paths);
  const started = await connectTo(paths);
  if (!started) throw new DaemonError('unreachable', `the log is in ${paths.logs}`);
  if (!running) onStart();
  return started;
}

/** Advice for a person when the daemon is of another version. */
export function versionGap(version: string): string {
  const advice = isOlder(version, VERSION)
    ? '`reflect start` restarts it as this one'
    : 'update this one, because the two may not be compatible';
  return `the daemon runs version ${version}, this is ${VERSION}: ${advice}`;
}

/** Starts the daemon as its own process and waits until it answers. */
async function startInBackground(paths: Paths, extra: string[] = []): Promise<void> {
  const child = spawn(process.execPath, [DAEMON, ...extra], {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: { ...daemonEnvironment(process.env), REFLECT_HOME: paths.home },
  });
  let failed = false;
  child.once('exit', (code) => (failed = code !== 0));
  child.once('error', () => (failed = true));
  child.unref();
  await until(async () => {
    if (failed) throw new DaemonError('unreachable', `it did not start; ${reasonFor(paths)}`);
    return answers(paths);
  });
}

const LEAST_SPACE = 1_000_000; // bytes; the files of a start need less

/** Why a daemon did not start, where its log cannot say so because nothing can be written. */
function reasonFor({ home, logs }: Paths): string {
  try {
    accessSync(home, constants.W_OK);
    const { bavail, bsize } = statfsSync(home);
    return bavail * bsize < LEAST_SPACE
      ? `the disk of ${home} is full: free some space`
      : `its log in ${logs} says why`;
  } catch {
    return `${home} is read-only: make it writable, or set REFLECT_HOME to another folder`;
  }
}

/** Stops the daemon; one that hangs is killed, which loses nothing because every write is a transaction. */
export async function stopDaemon(paths: Paths): Promise<'stopped' | 'killed' | 'absent'> {
  const open = await connectTo(paths, HUNG_AFTER);
  if (!open) return 'absent';
  const { pid } = open.run;
  const reply = await open.connection.send('daemon.stop', {});
  open.close();
  const hangs = !reply.ok && reply.code === 'timed-out';
  if (!reply.ok && !hangs) throw new DaemonError(reply.code, reply.detail);
  if (hangs) {
    process.kill(pid, 'SIGKILL');
    writeFileSync(paths.stayStopped, ''); // the daemon would have written it itself: it keeps hooks from starting it again
  }
  await until(() => Promise.resolve(!isAlive(pid)));
  return hangs ? 'killed' : 'stopped';
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
  const deadline = Date.now() + START_TIMEOUT;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new DaemonError('timed-out');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
