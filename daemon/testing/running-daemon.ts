import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, onTestFinished } from 'vitest';
import { type Call, createClient } from '#contract/methods.ts';
import type { RunFile } from '#contract/run-file.ts';
import { startDaemon } from '../daemon.ts';
import { pathsOf } from '../platform/paths.ts';
import { connectTo } from '../client/connect.ts';
import { emptyStore } from './temp-home.ts';

export interface RunningDaemon {
  home: string;
  agentsHome: string;
  run: RunFile;
  call: Call;
  stop(): Promise<void>;
}

/** Has something done when what it was made for is over. */
type WhenOver = (end: () => void | Promise<void>) => void;

export function temporaryHome(whenOver: WhenOver = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'reflect-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder that looks like a clone of this remote, on its main branch; nothing of git is run. */
export function workingTree(remote = '', name = 'shop'): string {
  const cwd = join(temporaryHome(), name);
  mkdirSync(join(cwd, '.git'), { recursive: true });
  writeFileSync(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  if (remote)
    writeFileSync(join(cwd, '.git', 'config'), `[remote "origin"]\n\turl = https://${remote}.git\n`);
  return cwd;
}

/** The whole daemon in this process, on its own home, stopped after the test. No models unless asked for. */
export async function runDaemon(
  environment: Record<string, string> = {},
  home?: string,
): Promise<RunningDaemon> {
  return startHere(environment, onTestFinished, home);
}

/** One daemon for the tests of a file that leave it as it was: most of the time of a short test is starting its own. */
export function sharedDaemon(environment: Record<string, string> = {}): () => RunningDaemon {
  let daemon: RunningDaemon | undefined;
  beforeAll(async () => {
    const ends: Parameters<WhenOver>[0][] = [];
    daemon = await startHere(environment, (end) => ends.unshift(end));
    return async () => {
      for (const end of ends) await end();
    };
  });
  return () => {
    if (!daemon) throw new Error('the daemon starts before the first test of the file');
    return daemon;
  };
}

function newHome(whenOver: WhenOver): string {
  const home = join(temporaryHome(whenOver), 'home');
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(pathsOf(home).database, emptyStore(), { mode: 0o600 });
  return home;
}

async function startHere(
  environment: Record<string, string>,
  whenOver: WhenOver,
  home = newHome(whenOver),
): Promise<RunningDaemon> {
  const agentsHome = join(temporaryHome(whenOver), 'agents');
  const daemon = await startDaemon({
    home,
    environment: {
      REFLECT_AGENTS_HOME: agentsHome,
      REFLECT_MODELS_DIR: join(home, 'no-models'),
      REFLECT_SETTLE_SECONDS: '0.2',
      REFLECT_BACKFILL_LEARNINGS: 'true', // recorded sessions are older than any daemon of a test
      ...environment,
    },
  });
  if (daemon.state !== 'running') throw new Error('another daemon runs there');
  const open = await connectTo(pathsOf(home));
  if (!open) throw new Error('the daemon does not answer');
  const call = createClient(open.connection.send, { strict: true });
  await call('capture.agree', {}); // most tests are about what comes after
  const stop = async () => {
    open.close();
    daemon.stop();
    await daemon.stopped;
  };
  whenOver(stop);
  return {
    home,
    agentsHome: environment.REFLECT_AGENTS_HOME ?? agentsHome,
    run: daemon.run,
    call,
    stop,
  };
}
