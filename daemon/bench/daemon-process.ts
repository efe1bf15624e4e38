import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DaemonStatus } from '#contract/status.ts';
import { type Call, createClient } from '#contract/methods.ts';
import type { Paths } from '../platform/paths.ts';
import { connectTo } from '../client/connect.ts';
import { timed } from './statistics.ts';
import { daemonEnvironment } from '#contract/daemon-environment.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const DIST = join(ROOT, 'dist', 'daemon');

const MODEL_SETTINGS = new Set(['REFLECT_MODELS_DIR', 'REFLECT_CE_MODEL', 'REFLECT_BUNDLED_MODELS']);

/** The user's own environment must not change the figures; only the models folder is theirs. */
export const benchEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(REFLECT|RECALL)_/.test(name) || MODEL_SETTINGS.has(name),
    ),
  );

export interface RunningDaemon {
  pid: number;
  /** Milliseconds from spawn until `run/daemon.json` existed. */
  listeningMs: number;
  spawnedAt: number;
  paths: Paths;
  /** Refuses to measure a daemon that is still busy, unless `whileBusy` says so. `at` is when the answer arrived. */
  search(
    query: string,
    more?: { whileBusy?: boolean; knobs?: object },
  ): Promise<{ hits: unknown[]; at: number }>;
  status(): Promise<DaemonStatus>;
  /** Milliseconds of that many calls of `status`, one after another over one connection. */
  statusTimes(calls: number): Promise<number[]>;
  stop(): Promise<void>;
}

/** Starts the built daemon as a separate process, with a home of the bench and no transcripts. */
export const startBuilt = (paths: Paths, environment: NodeJS.ProcessEnv) =>
  start(join(DIST, 'main.js'), paths, environment);

/** The same daemon from its sources: slower to start, but its modules can be replaced. */
export const startFromSource = (paths: Paths, environment: NodeJS.ProcessEnv) =>
  start(join(ROOT, 'daemon', 'main.ts'), paths, environment);

async function start(main: string, paths: Paths, environment: NodeJS.ProcessEnv): Promise<RunningDaemon> {
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...daemonEnvironment(environment),
      REFLECT_HOME: paths.home,
      REFLECT_AGENTS_HOME: paths.home,
      REFLECT_CAPTURE: 'true',
      CLAUDE_CONFIG_DIR: '',
    },
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  // The daemons end with the bench, however it ends, before their homes are removed.
  const endAtOnce = () => child.kill('SIGKILL');
  process.prependListener('exit', endAtOnce);
  const stop = async () => {
    await end(child);
    process.off('exit', endAtOnce);
  };
  try {
    await until(
      'the daemon has started',
      () => {
        if (child.exitCode !== null) throw new Error(`the daemon did not start: ${complaint}`);
        return existsSync(paths.runFile);
      },
      { everyMs: 1, withinMs: 60_000 },
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const listeningMs = performance.now() - spawnedAt;
  return {
    pid: child.pid ?? 0,
    listeningMs,
    spawnedAt,
    paths,
    stop,
    search: (query, more) => search(paths, query, more),
    status: () => withClient(paths, (call) => call('status', {})),
    statusTimes: (calls) =>
      withClient(paths, async (call) => {
        const times: number[] = [];
        while (times.length < calls) times.push(await timed(() => call('status', {})));
        return times;
      }),
  };
}

/** A client with a connection of its own. */
export interface Client {
  call: Call;
  close(): void;
}

export async function openClient(paths: Paths): Promise<Client> {
  const open = await connectTo(paths);
  if (!open) throw new Error('the daemon does not answer');
  return { call: createClient(open.connection.send), close: () => open.close() };
}

async function withClient<T>(paths: Paths, work: (call: Call) => Promise<T>): Promise<T> {
  const { call, close } = await openClient(paths);
  try {
    return await work(call);
  } finally {
    close();
  }
}

const search = (
  paths: Paths,
  query: string,
  { whileBusy = false, ...more }: { whileBusy?: boolean } = {},
): Promise<{ hits: unknown[]; at: number }> =>
  withClient(paths, async (call) => {
    const { hits } = await call('recall.search', { query, global: true, ...more });
    const at = performance.now();
    if (!whileBusy) refuseUnsettled(await call('status', {}));
    return { hits, at };
  });

/** Fails if the daemon still embeds notes: it would be neither warm nor idle, and would slow other measurements. */
function refuseUnsettled({ index: { waiting } }: DaemonStatus): void {
  if (waiting !== 0)
    throw new Error(
      `the daemon still has ${waiting} notes to embed; the home was not filled for all its models`,
    );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const impatient = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(impatient);
}

/** Waits for a state, never for a time. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { everyMs, withinMs }: { everyMs: number; withinMs: number },
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs / 1_000} s`);
    await sleep(everyMs);
  }
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface FiredHook {
  ms: number;
  code: number;
  output: string;
  complaint: string;
}

/** Runs a hook as an agent does, in a separate process. */
export function fireHook(event: string, payload: object, env: NodeJS.ProcessEnv): Promise<FiredHook> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(DIST, 'hook.cjs'), event, 'claude-code'], {
    env,
    stdio: 'pipe',
  });
  let [output, complaint] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(payload));
  return new Promise((resolve) =>
    child.once('close', (code) =>
      resolve({ ms: performance.now() - began, code: code ?? -1, output, complaint }),
    ),
  );
}
