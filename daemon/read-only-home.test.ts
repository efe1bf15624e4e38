import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Note } from '#contract/entities.ts';
import { isReadOnly, runFolder, shelterOf } from '#contract/run-folder.ts';
import { RunFile } from '#contract/run-file.ts';
import { bareEnvironment } from './testing/command-line.ts';
import { needs } from './testing/needs.ts';
import { addLearning } from './store/learnings/write.ts';
import { CREATED, tempFolder, tempStore } from './testing/temp-home.ts';

const [MAIN, CLI] = ['main.ts', 'cli/main.ts'].map((name) =>
  fileURLToPath(new URL(`./${name}`, import.meta.url)),
) as [string, string];

/** Root may write anywhere, so root's daemon runs as somebody else. */
const AS = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function environmentOf(home: string) {
  return {
    ...bareEnvironment(),
    HOME: home,
    REFLECT_HOME: home,
    REFLECT_AGENTS_HOME: join(home, 'agents'),
    REFLECT_CAPTURE: 'true',
    REFLECT_MODELS_DIR: join(home, 'no-models'),
    REFLECT_HOOK_WAKE: 'off',
  };
}

function reflect(home: string, ...args: string[]) {
  const ran = spawnSync(process.execPath, [CLI, ...args], {
    ...AS,
    env: environmentOf(home),
    cwd: home,
    encoding: 'utf8',
  });
  return { code: ran.status, said: ran.stdout + ran.stderr };
}

async function start(home: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [MAIN], { ...AS, env: environmentOf(home), stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect
    .poll(() => reflect(home, 'status').said, { timeout: 30_000, interval: 500 })
    .toContain(`process ${child.pid}`);
  return () => {
    child.kill('SIGTERM');
    return exited;
  };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));

function setWritable(home: string, isWritable: boolean): void {
  for (const path of [...filesIn(home), home]) {
    const mode = statSync(path).mode & 0o777;
    chmodSync(path, isWritable ? mode | 0o200 : mode & ~0o222);
  }
}

function contentOf(home: string): Array<[string, string]> {
  return filesIn(home)
    .filter((path) => statSync(path).isFile())
    .map((path): [string, string] => [path, readFileSync(path, 'base64')])
    .toSorted();
}

/** A home that holds one learning and belongs to whom the daemon runs as. */
function aHome(): string {
  const { paths, ...store } = tempStore();
  addLearning(
    store,
    Note.parse({ title: 'Round every line before adding the tax', scope: 'global' }),
    CREATED,
  );
  store.close();
  const { home } = paths;
  const { uid, gid } = AS;
  if (uid !== undefined && gid !== undefined)
    for (const path of [home, ...filesIn(home)]) chownSync(path, uid, gid);
  onTestFinished(() => setWritable(home, true));
  return home;
}

async function noticesOf({ port, token }: RunFile): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/rpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'status' }),
  });
  const { result } = (await answer.json()) as { result: { notices: string[] } };
  return result.notices.join('\n');
}

describe('a read-only home', () => {
  needs(process.platform === 'win32' ? 'Windows has no mode that makes a folder read-only' : null);
  const canReadSources = spawnSync('test', ['-r', MAIN], AS).status === 0;
  needs(canReadSources ? null : 'the sources are not readable without the rights of root');

  test('is read: recall and status answer, a write is refused with the reason, and nothing changes', async () => {
    const home = aHome();
    setWritable(home, false);
    const before = contentOf(home);

    const stop = await start(home);
    expect(reflect(home, 'status').said).toContain('The Reflect folder is read-only');
    expect(reflect(home, 'search', 'round', 'tax', '--global').said).toContain('Round every line');
    const refused = reflect(home, 'add', 'Sum in cents, never in floats', '--global');
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('is read-only')]);
    await stop();
    expect(contentOf(home)).toEqual(before);
  });

  test('that becomes so under a running daemon is reported by it, as long as it lasts', async () => {
    const home = aHome();
    await start(home);
    const running = RunFile.parse(JSON.parse(readFileSync(join(home, 'run', 'daemon.json'), 'utf8')));
    chmodSync(home, 0o500);
    expect(await noticesOf(running)).toContain('The Reflect folder is read-only');
    chmodSync(home, 0o700);
    expect(await noticesOf(running)).toBe('');
  });
});

describe('the folder for a run file', () => {
  test('is in the home, whether that exists or not', () => {
    const home = tempFolder();
    expect(runFolder(home)).toBe(join(home, 'run'));
    expect(isReadOnly(join(home, 'missing'))).toBe(false);
    expect(runFolder(join(home, 'missing'))).toBe(join(home, 'missing', 'run'));
  });

  test('that stands in for a read-only one differs from home to home', () => {
    expect(shelterOf('/a')).not.toBe(shelterOf('/b'));
    expect(existsSync(shelterOf(tempFolder()))).toBe(false);
  });
});
