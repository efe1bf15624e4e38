import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, type Output } from '#contract/methods.ts';
import { readRunFile } from './platform/lock.ts';
import { pathsOf } from './platform/paths.ts';
import { connectTo } from './client/connect.ts';
import { temporaryHome } from './testing/running-daemon.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

interface Started {
  process: ChildProcess;
  output: () => string;
  exited: Promise<number | null>;
}

function start(
  home: string,
  environment: Record<string, string> = {},
  user?: { uid: number; gid: number },
): Started {
  const { HOME, ...usual } = process.env;
  const child = spawn(process.execPath, [MAIN], {
    ...user,
    env: {
      ...usual,
      ...(user ? {} : { HOME }),
      REFLECT_HOME: home,
      REFLECT_AGENTS_HOME: join(home, 'agents'),
      REFLECT_CAPTURE: 'true',
      ...environment,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    process: child,
    output: () => output,
    exited: new Promise((resolve) => child.once('exit', resolve)),
  };
}

async function answers(home: string, pid: number | undefined): Promise<boolean> {
  const open = await connectTo(pathsOf(home));
  open?.close();
  return open !== null && readRunFile(pathsOf(home).runFile)?.pid === pid;
}

async function statusOf(home: string): Promise<Output<'status'>> {
  const open = await connectTo(pathsOf(home));
  if (!open) throw new Error('the daemon does not answer');
  try {
    return await createClient(open.connection.send)('status', {});
  } finally {
    open.close();
  }
}

async function running(home: string, environment?: Record<string, string>): Promise<Started> {
  const started = start(home, environment);
  await expect.poll(() => answers(home, started.process.pid)).toBe(true);
  return started;
}

test('a second daemon exits 0 and says who holds the home', async () => {
  const home = temporaryHome();
  const first = await running(home);
  const second = start(home);
  expect(await second.exited).toBe(0);
  expect(second.output()).toContain(`process ${first.process.pid}`);
  expect(await answers(home, first.process.pid)).toBe(true);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it cleanly: exit 0, no run file, no socket',
  async (signal) => {
    const home = temporaryHome();
    const daemon = await running(home);
    daemon.process.kill(signal);
    expect(await daemon.exited).toBe(0);
    expect([existsSync(pathsOf(home).runFile), existsSync(pathsOf(home).socket)]).toEqual([false, false]);
  },
);

test('the home of a daemon that was killed is taken over at once', async () => {
  const home = temporaryHome();
  const first = await running(home);
  first.process.kill('SIGKILL');
  await first.exited;
  const second = await running(home);
  expect(second.process.pid).not.toBe(first.process.pid);
});

test('a setting that is out of range keeps it from starting, and is named', async () => {
  const daemon = start(temporaryHome(), { RECALL_RRF_K: '-1' });
  expect(await daemon.exited).toBe(1);
  expect(daemon.output()).toContain('RECALL_RRF_K takes a whole number from 1 to 1000');
});

test('a home whose path is too long for a socket still works', async () => {
  const home = join(temporaryHome(), 'deep'.repeat(30));
  await running(home);
});

test('a user whom the system does not know, without a home folder, can start it', async ({ skip }) => {
  const user = { uid: 54_321, gid: 54_321 };
  if (process.getuid?.() !== 0) skip('only root can become another user');
  if (spawnSync(process.execPath, ['--check', MAIN], user).status !== 0)
    skip('others may not read this folder');
  const folder = temporaryHome();
  chownSync(folder, user.uid, user.gid);
  const home = join(folder, 'home');
  const started = start(home, { REFLECT_MODELS_DIR: join(folder, 'none') }, user);
  await expect.poll(() => existsSync(pathsOf(home).runFile) || started.output()).toBe(true);
  started.process.kill('SIGTERM');
  expect(await started.exited).toBe(0);
});

test('a damaged database is kept aside, the notes are read again, and it is said', async () => {
  const home = temporaryHome();
  const note =
    '---\nid: lrn-kept-000001\ntitle: Use pnpm\ncategory: tools\ntype: preference\ntags: []\nconfidence: 0.8\n---\n';
  mkdirSync(join(home, 'documents', 'global'), { recursive: true });
  writeFileSync(join(home, 'documents', 'global', 'lrn-kept-000001.md'), note);
  writeFileSync(join(home, 'reflect.db'), 'this is no database'.repeat(1_000));
  await running(home);
  // It answers before it has read the notes.
  await expect
    .poll(() => statusOf(home))
    .toMatchObject({
      learnings: 1,
      notices: [expect.stringContaining('damaged')],
    });
});

test('an exception that nobody caught is told in the status, and the daemon goes on', async () => {
  const home = temporaryHome();
  const thrower = join(home, 'thrower.mjs');
  // Throws in the daemon's main thread, from a timer, as a mistake in any part would.
  writeFileSync(
    thrower,
    `import { existsSync, rmSync } from 'node:fs';
    import { isMainThread } from 'node:worker_threads';
    setInterval(() => {
      if (!isMainThread || !existsSync(${JSON.stringify(join(home, 'throw'))})) return;
      rmSync(${JSON.stringify(join(home, 'throw'))});
      throw new Error('a part has failed');
    }, 20).unref();`,
  );
  const daemon = await running(home, { NODE_OPTIONS: `--import ${pathToFileURL(thrower).href}` });
  writeFileSync(join(home, 'throw'), '');
  await expect
    .poll(async () => (await statusOf(home)).notices)
    .toEqual([expect.stringContaining('a part has failed')]);
  expect(daemon.process.exitCode).toBeNull();
});
