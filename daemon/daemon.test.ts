import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startDaemon } from './daemon.ts';
import { pathsOf } from './platform/paths.ts';
import { ClaudeSession } from './testing/claude-session.ts';
import { runDaemon, temporaryHome } from './testing/running-daemon.ts';
import { putTranscript, transcriptPath } from './testing/transcript.ts';

const LATE = 800; // ms; longer than it takes a task to settle

/** A home with a transcript to be read, and how to start a daemon there. */
function world() {
  const home = join(temporaryHome(), 'home');
  const agentsHome = join(temporaryHome(), 'agents');
  const session = new ClaudeSession({ cwd: '/home/ada/shop' });
  const said = session.human("no, don't use npm here, we never use npm") + session.agent('Right.');
  putTranscript(transcriptPath({ agentsHome }, session), said);
  const environment = {
    REFLECT_AGENTS_HOME: agentsHome,
    REFLECT_CAPTURE: 'true',
    REFLECT_MODELS_DIR: join(home, 'no-models'),
    REFLECT_SETTLE_SECONDS: '0.01',
  };
  const start = (signal?: AbortSignal) => startDaemon({ home, environment }, signal);
  return { home, start };
}

/** Every file below a home with its size and time of change. */
const files = (home: string) =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => [name, statSync(join(home, name)).size, statSync(join(home, name)).mtimeMs]);

/** Handles of the process that a daemon opens. */
const handles = () =>
  process.getActiveResourcesInfo().filter((kind) => /FSEvent|TCPServer|Pipe|Worker|MessagePort/.test(kind))
    .length;

async function expectNothingLeft(home: string, before: number): Promise<void> {
  const after = files(home);
  await pause(LATE);
  expect(files(home)).toEqual(after);
  expect(existsSync(pathsOf(home).runFile)).toBe(false);
  await expect.poll(handles).toBeLessThanOrEqual(before);
}

function collectFailures(): unknown[] {
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  return failures;
}

test('a start that is given up at any step leaves nothing open and the home free', async () => {
  const { home, start } = world();
  const failures = collectFailures();
  const before = handles();
  for (let step = 1; ; step++) {
    const giveUp = new AbortController();
    let steps = 0;
    vi.spyOn(giveUp.signal, 'throwIfAborted').mockImplementation(() => {
      if (++steps === step) throw new Error(`given up at step ${step}`);
    });
    const daemon = await start(giveUp.signal).catch((error: unknown) => (error as Error).message);
    if (typeof daemon !== 'string') {
      expect([daemon.state, step]).toEqual(['running', 8]); // it held no lock, and every step was tried
      if (daemon.state === 'running') {
        daemon.stop();
        await daemon.stopped;
      }
      break;
    }
    expect(daemon).toBe(`given up at step ${step}`);
  }
  await expectNothingLeft(home, before);
  expect(failures).toEqual([]);
});

test('stopped at any moment after its start, a daemon writes nothing afterwards', async () => {
  const { home, start } = world();
  const failures = collectFailures();
  const before = handles();
  for (const ms of [0, 1, 20, 100, 400, 1_200]) {
    const daemon = await start();
    if (daemon.state !== 'running') throw new Error('the daemon before it holds the home');
    const errors = vi.spyOn(daemon.log, 'error');
    await pause(ms);
    daemon.stop();
    await daemon.stopped;
    expect(errors.mock.calls, `stopped after ${ms} ms`).toEqual([]);
    if (ms % 100 === 0) await expectNothingLeft(home, before);
  }
  expect(failures).toEqual([]);
});

test('the run file of a daemon that was killed is gone before the next one answers', async () => {
  const { home, start } = world();
  const { runFile } = pathsOf(home);
  mkdirSync(dirname(runFile), { recursive: true });
  writeFileSync(runFile, '{"token":"of the one before"}');
  await expect(start(AbortSignal.abort())).rejects.toThrow();
  expect(existsSync(runFile)).toBe(false);
});

test('a home that cannot be opened is free again once it can', async () => {
  const { home, start } = world();
  const { database } = pathsOf(home);
  mkdirSync(database, { recursive: true }); // a folder where the store should be
  await expect(start()).rejects.toThrow();
  rmSync(database, { recursive: true });
  const daemon = await start();
  expect(daemon.state).toBe('running');
  if (daemon.state !== 'running') return;
  daemon.stop();
  await daemon.stopped;
});

test('a disk that takes no file does not keep it from stopping', async () => {
  const { home, call } = await runDaemon();
  mkdirSync(pathsOf(home).stayStopped); // in the place of the file
  expect(await call('daemon.stop', {})).toEqual({ ok: true });
});
