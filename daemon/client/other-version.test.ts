import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isOlder } from '#contract/run-file.ts';
import { readRunFile } from '../platform/lock.ts';
import { pathsOf } from '../platform/paths.ts';
import { bareEnvironment, CLI, type Ran } from '../testing/command-line.ts';
import { otherRelease, type Release, releaseHome, thisRelease } from '../testing/other-version.ts';

const OLD = '0.0.1';
const NEW = '99.0.0';
const SILENCE = { code: 0, out: '', err: '' };
const LESSON = 'Use pnpm here, never npm';
/** A release in whose contract hooks have another name. */
const renamesHooks = (source: string) => source.replaceAll("'hook.run'", "'hook.tell'");

/** A home in which the daemon of a release runs and knows one lesson, about the home's own project. */
async function homeOf(release: Release) {
  const home = releaseHome();
  mkdirSync(join(home, '.git'));
  const daemon = await release.start(home);
  expect(await release.cli(home, 'add', LESSON)).toMatchObject({ code: 0, err: '' });
  return { home, daemon, running: () => readRunFile(pathsOf(home).runFile) };
}

const start = (home: string) => ({ session_id: crypto.randomUUID(), cwd: home, source: 'startup' });

test('versions are ordered by their numbers, and a preview comes before what it leads to', () => {
  const inOrder = ['0.1.0', '0.9.0', '0.10.0-beta.2', '0.10.0-beta.10', '0.10.0', '1.0.0'];
  inOrder.forEach((version, index) => {
    expect(inOrder.map((other) => isOlder(other, version))).toEqual(inOrder.map((_, place) => place < index));
  });
  expect(isOlder('1.0.0+build.1', '1.0.0')).toBe(false);
});

describe('a daemon of another version', { timeout: 120_000 }, () => {
  test.each([
    ['an older one', OLD, '`reflect start` restarts it as this one'],
    ['a newer one', NEW, 'update this one'],
  ])('answers our hooks, and doctor and status report %s', async (_which, version, advice) => {
    const ours = thisRelease();
    const { home } = await homeOf(otherRelease(version));
    expect((await ours.hook(home, 'SessionStart', start(home))).out).toContain(LESSON);
    const gap = `the daemon runs version ${version}, this is ${ours.version}: ${advice}`;
    expect((await ours.cli(home, 'doctor')).out).toContain(`✗ ${gap}`);
    expect(await ours.cli(home, 'status')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Reflect ${version} is running`) as string,
      err: expect.stringContaining(gap) as string,
    });
  });

  test('is replaced when it is older: the command line says so and runs the command', async () => {
    const ours = thisRelease();
    const { home, daemon, running } = await homeOf(otherRelease(OLD));
    const found = await ours.cli(home, 'search', 'pnpm');
    expect(found).toMatchObject({
      code: 0,
      out: expect.stringContaining(LESSON) as string,
      err: `reflect: the daemon was of version ${OLD}; it is restarted as ${ours.version}\n`,
    });
    expect(daemon.exitCode).toBe(0);
    expect(running()?.version).toBe(ours.version);
    expect(await ours.cli(home, 'start')).toMatchObject({
      code: 0,
      out: 'Reflect is already running.\n',
      err: '',
    });
    expect(await ours.cli(home, 'stop')).toMatchObject({ code: 0, out: 'Stopped.\n' });
  });

  test('stays when it is newer; what the two do not share is silence for a hook and a sentence for a person', async () => {
    const ours = thisRelease();
    const { home, daemon, running } = await homeOf(otherRelease(NEW, renamesHooks));
    for (const event of ['SessionStart', 'UserPromptSubmit', 'Stop'])
      expect(await ours.hook(home, event, start(home)), event).toEqual(SILENCE);
    expect(await ours.cli(home, 'search', 'pnpm')).toMatchObject({
      code: 0,
      out: expect.stringContaining(LESSON) as string,
      err: expect.stringContaining(`the daemon runs version ${NEW}, this is ${ours.version}`) as string,
    });
    expect(
      await ours.cli(home, 'call', 'hook.run', '{"agent":"x","event":"Stop","payload":{}}'),
    ).toMatchObject({ code: 1, err: expect.stringContaining('The daemon has no such method') as string });
    expect(running()?.pid).toBe(daemon.pid);
  });

  test('answers the hooks and the command line of an older release, when it is ours', async () => {
    const { home, daemon, running } = await homeOf(thisRelease());
    const theirs = otherRelease(OLD);
    expect((await theirs.hook(home, 'SessionStart', start(home))).out).toContain(LESSON);
    expect(await theirs.cli(home, 'search', 'pnpm')).toMatchObject({
      code: 0,
      out: expect.stringContaining(LESSON) as string,
      err: expect.stringContaining('update this one') as string,
    });
    expect(running()?.pid).toBe(daemon.pid);
  });
});

describe('an MCP server', { timeout: 120_000 }, () => {
  async function agentAt(home: string) {
    const client = new Client({ name: 'test', version: '1' });
    const env = {
      ...bareEnvironment(),
      REFLECT_HOME: home,
      REFLECT_AGENTS_HOME: join(home, 'agents'),
      REFLECT_MODELS_DIR: join(home, 'no-models'),
    };
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [CLI, 'mcp'],
        cwd: home,
        env,
        stderr: 'ignore',
      }),
    );
    onTestFinished(() => client.close());
    return async () =>
      JSON.stringify((await client.callTool({ name: 'recall', arguments: { query: 'pnpm' } })).content);
  }

  test.each([
    ['an older', OLD, true],
    ['a newer', NEW, false],
  ])('answers its agent at %s daemon', async (_which, version, isReplaced) => {
    const { home, running } = await homeOf(otherRelease(version));
    const recall = await agentAt(home);
    expect(await recall()).toContain(LESSON);
    expect(running()?.version).toBe(isReplaced ? thisRelease().version : version);
  });

  test('goes on when the daemon was restarted in between, without a failed call', async () => {
    const { home, daemon } = await homeOf(thisRelease());
    const recall = await agentAt(home);
    expect(await recall()).toContain(LESSON);
    daemon.kill('SIGTERM');
    await expect.poll(() => daemon.exitCode, { timeout: 10_000 }).toBe(0);
    expect(await recall()).toContain(LESSON);
  });
});

describe('a daemon that hangs', { timeout: 120_000 }, () => {
  test('delays no hook beyond its deadline, is reported, and is ended by `reflect stop`', async () => {
    const ours = thisRelease();
    const { home, daemon } = await homeOf(ours);
    daemon.kill('SIGSTOP');
    onTestFinished(() => void daemon.kill('SIGCONT'));
    expect(
      await ours.hook(home, 'UserPromptSubmit', {
        ...start(home),
        prompt: 'Which package manager is used here?',
      }),
    ).toEqual(SILENCE);
    expect(await ours.hook(home, 'SessionStart', start(home))).toEqual(SILENCE);
    const [status, doctor] = await Promise.all([ours.cli(home, 'status'), ours.cli(home, 'doctor')]);
    expect(status).toMatchObject({
      code: 1,
      err: expect.stringMatching(/The daemon took too long.*\n.*`reflect stop` ends it/) as string,
    });
    expect(doctor).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /✗ the daemon returned no status: The daemon took too long.*`reflect stop`, then `reflect start`/,
      ) as string,
    });
    expect(await ours.cli(home, 'stop')).toMatchObject({
      code: 0,
      out: 'The daemon did not answer and was killed; nothing is lost.\n',
    });
    expect(daemon.signalCode).toBe('SIGKILL');
    expect(await ours.cli(home, 'search', 'pnpm')).toMatchObject({
      code: 0,
      out: expect.stringContaining(LESSON) as string,
      err: '',
    });
    await ours.cli(home, 'stop');
  });
});

test(
  'hooks that fire while the daemon is killed and started again all succeed, with an answer or with none',
  { timeout: 120_000 },
  async () => {
    const ours = thisRelease();
    const { home, daemon } = await homeOf(ours);
    const fired: Promise<Ran>[] = [];
    const fire = async (count: number) => {
      for (let index = 0; index < count; index++) {
        fired.push(ours.hook(home, 'SessionStart', start(home)));
        if (index % 4 === 3) await fired.at(-1);
      }
    };
    const restarted = async () => {
      await fired[2];
      daemon.kill('SIGKILL');
      await ours.start(home);
    };
    await Promise.all([fire(40), restarted()]);
    await fire(4);
    const ran = await Promise.all(fired);
    expect(ran.map(({ code, err }) => ({ code, err }))).toEqual(ran.map(() => ({ code: 0, err: '' })));
    expect(ran.filter(({ out }) => out !== '' && !out.includes(LESSON))).toEqual([]);
    expect(ran.slice(-4).every(({ out }) => out.includes(LESSON))).toBe(true);
  },
);
