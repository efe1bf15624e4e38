import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '#contract/connection.ts';
import { isOlder, RunFile } from '#contract/run-file.ts';
import { runFolder } from '#contract/run-folder.ts';
import { backOffMs } from './back-off.ts';
import { stopProcess } from './platform/stop.ts';

const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 8_000;
const STABLE_AFTER_MS = 60_000;
const POLL_MS = 50;

/** `crashed`: its run file is still there; a daemon that stops on purpose removes it. */
export type Found = { state: 'running'; runFile: RunFile } | { state: 'crashed' } | { state: 'absent' };

export async function findDaemon(home: string): Promise<Found> {
  const runFile = readRunFile(home);
  if (runFile === undefined) return { state: 'absent' };
  // The process id alone proves nothing after a reboot: another program may have it by now.
  return (await answers(runFile.socket)) ? { state: 'running', runFile } : { state: 'crashed' };
}

function readRunFile(home: string): RunFile | undefined {
  try {
    return RunFile.parse(JSON.parse(readFileSync(path.join(runFolder(home), 'daemon.json'), 'utf8')));
  } catch {
    // Missing, or half written by a daemon that is not ready yet: both mean "look again later".
    return undefined;
  }
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const settle = (alive: boolean) => {
      socket.destroy();
      resolve(alive);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

/** Asks a daemon to stop and waits until its process is gone; one that hangs is ended, which loses nothing. */
async function replace(runFile: RunFile): Promise<void> {
  const { pid } = runFile;
  const hangUp = askToStop(runFile);
  if (!(await isGone(pid))) {
    process.kill(pid, 'SIGKILL');
    await isGone(pid); // until then its socket would still be answered
  }
  hangUp();
}

function askToStop({ socket: address, token }: RunFile): () => void {
  const socket = connect(address).on('error', () => undefined); // it is on its way out already
  const connection = new Connection({ send: (message) => socket.write(`${message}\n`) }, { token });
  void connection.send('daemon.stop', {});
  return () => {
    connection.closed();
    socket.destroy();
  };
}

/** The sentence with which a daemon ended: its own if it had time for one, else that of an exception. */
export function reasonIn(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const own = lines.findLast((line) => line.startsWith('reflect: '))?.replace('reflect: ', '');
  return (
    own ??
    lines.find((line) => /^\w*Error\b/.test(line)) ??
    lines.at(-1) ??
    'It printed nothing.'
  ).slice(0, 500);
}

async function isGone(pid: number): Promise<boolean> {
  const deadline = Date.now() + STOP_WITHIN_MS;
  while (isAlive(pid) && Date.now() < deadline) await delay(POLL_MS);
  return !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface DaemonLaunch {
  home: string;
  /** Of the daemon that would be started. */
  version: string;
  command: string;
  args: string[];
  /** May still be on its way: a login shell is asked for it. */
  env: NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>;
  /** Receives what the daemon prints before its own log is open. */
  errorLog: string;
}

/** Adopts a running daemon, or starts one if there is none or an older one; stops only what it started. */
export class DaemonProcess {
  readonly #launch: DaemonLaunch;
  #child: ChildProcess | undefined;
  #startedAt = 0;
  #failures = 0;
  #wasRunning = false;
  #stopping = false;
  #waiting = new AbortController();

  constructor(launch: DaemonLaunch) {
    this.#launch = launch;
  }

  /** The running daemon, started if need be; undefined when someone stopped it on purpose. */
  async ensure(): Promise<RunFile | undefined> {
    const found = await findDaemon(this.#launch.home);
    if (found.state === 'running') {
      // After an update the old one may still run; a newer one, started from elsewhere, can do what we need.
      if (isOlder(found.runFile.version, this.#launch.version) && !this.#stopping) {
        await replace(found.runFile);
        return this.#start();
      }
      this.#wasRunning = true;
      return found.runFile;
    }
    const stoppedOnPurpose = found.state === 'absent' && this.#wasRunning;
    if (this.#stopping || stoppedOnPurpose) return undefined;
    if (Date.now() - this.#startedAt > STABLE_AFTER_MS) this.#failures = 0;
    const { signal } = (this.#waiting = new AbortController());
    await delay(backOffMs(++this.#failures), undefined, { signal }).catch(() => undefined);
    return this.#stopping ? undefined : this.#start();
  }

  /** Tries again at once, also when someone stopped the daemon on purpose. */
  startAgain(): void {
    this.#failures = 0;
    this.#wasRunning = false;
    this.#waiting.abort();
  }

  async #start(): Promise<RunFile> {
    const env = await this.#launch.env;
    this.#startedAt = Date.now();
    const { command, args, errorLog, home } = this.#launch;
    mkdirSync(path.dirname(errorLog), { recursive: true });
    const log = openSync(errorLog, 'w', 0o600);
    // Detached: Ctrl-C in a terminal reaches us alone, and we stop the daemon in order.
    const child = spawn(command, args, {
      env,
      detached: true,
      stdio: ['ignore', log, log],
      windowsHide: true,
    });
    closeSync(log);
    child.once('error', () => undefined); // a failed spawn also ends the wait below: it has no pid
    this.#child = child;
    while (Date.now() - this.#startedAt < READY_WITHIN_MS && child.pid !== undefined) {
      const found = await findDaemon(home);
      if (found.state === 'running') {
        this.#wasRunning = true;
        return found.runFile;
      }
      // Exit code 0 means another daemon holds the lock and is about to be ready.
      if (child.signalCode !== null || (child.exitCode ?? 0) !== 0) break;
      await delay(POLL_MS);
    }
    await this.#end();
    throw new Error(`The daemon did not start: ${reasonIn(readFileSync(errorLog, 'utf8'))}`);
  }

  /** Leaves a daemon alone that we only adopted. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#end();
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid === undefined) return;
    let hangUp = () => {};
    await stopProcess(child, process.platform, async () => {
      const found = await findDaemon(this.#launch.home);
      if (found.state !== 'running' || found.runFile.pid !== child.pid) return false;
      hangUp = askToStop(found.runFile);
      return true;
    });
    hangUp();
  }
}
