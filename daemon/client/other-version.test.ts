import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isOlder } from '#contract/run-file.ts';
import { bareEnvironment, CLI } from '../testing/command-line.ts';
import {
  homeOf,
  LESSON,
  makeRelease,
  type Release,
  SILENCE,
  start,
  thisRelease,
} from '../testing/other-version.ts';

const OLD = '0.0.1';
const NEW = '99.0.0';
/** A release in whose contract hooks have another name. */
const renamesHooks = (source: string) => source.replaceAll("'hook.run'", "'hook.tell'");

test('versions are ordered by their numbers, and a preview comes before what it leads to', () => {
  const inOrder = ['0.1.0', '0.9.0', '0.10.0-beta.2', '0.10.0-beta.10', '0.10.0', '1.0.0'];
  inOrder.forEach((version, index) => {
    expect(inOrder.map((other) => isOlder(other, version))).toEqual(inOrder.map((_, place) => place < index));
  });
  expect(isOlder('1.0.0+build.1', '1.0.0')).toBe(false);
});

describe('a daemon of another version', () => {
  const ours = thisRelease();
  let older: Release;
  let newer: Release;
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'reflect-releases-'));
    older = makeRelease(join(folder, OLD), OLD);
    newer = makeRelease(join(folder, NEW), NEW, renamesHooks);
    return () => rmSync(folder, { recursive: true, force: true });
  });

  /** Doctor and status name both versions and what to do. */
  async function expectReported(home: string, version: string, advice: string) {
    const gap = `the daemon runs version ${version}, this is ${ours.version}: ${advice}`;
    const [doctor, status] = await Promise.all([ours.cli(home, 'doctor'), ours.cli(home, 'status')]);
    expect(doctor.out).toContain(`✗ ${gap}`);
    expect(status).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Reflect ${version} is running`) as string,
      err: expect.stringContaining(gap) as string,
    });
  }

  test('answers our hooks and is reported when it is older, until a command replaces it and says so', async () => {
    const { home, daemon, running } = await homeOf(older);
    expect((await ours.hook(home, 'SessionStart', start(home))).out).toContain(LESSON);
    await expectReported(home, OLD, '`reflect start` restarts it as this one');
    expect(await ours.cli(home, 'search', 'pnpm')).toMatchObject({
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
    const { home, daemon, running } = await homeOf(newer);
    await expectReported(home, NEW, 'update this one');
    for (const event of ['SessionStart', 'UserPromptSubmit', 'Stop'])
      expect(await ours.hook(home, event, start(home)), event).toEqual(SILENCE);
    expect(
      await ours.cli(home, 'call', 'hook.run', '{"agent":"x","event":"Stop","payload":{}}'),
    ).toMatchObject({ code: 1, err: expect.stringContaining('Unknown method') as string });
    const recall = await agentAt(home);
    expect(await recall(), 'an MCP server').toContain(LESSON);
    expect(running()?.pid).toBe(daemon.pid);
  });

  test('is replaced by an MCP server when it is older', async () => {
    const { home, running } = await homeOf(older);
    const recall = await agentAt(home);
    expect(await recall()).toContain(LESSON);
    expect(running()?.version).toBe(ours.version);
  });

  test('answers the hooks and the command line of an older release, when it is ours', async () => {
    const { home, daemon, running } = await homeOf(ours);
    expect((await older.hook(home, 'SessionStart', start(home))).out).toContain(LESSON);
    expect(await older.cli(home, 'search', 'pnpm')).toMatchObject({
      code: 0,
      out: expect.stringContaining(LESSON) as string,
      err: expect.stringContaining('update this one') as string,
    });
    expect(running()?.pid).toBe(daemon.pid);
    const recall = await agentAt(home);
    expect(await recall()).toContain(LESSON);
    daemon.kill('SIGTERM');
    await expect.poll(() => daemon.exitCode).toBe(0);
    expect(await recall(), 'an MCP server goes on after a restart').toContain(LESSON);
  });
});

/** An agent with our MCP server; returns how it recalls. */
async function agentAt(home: string) {
  const client = new Client({ name: 'test', version: '1' });
  const env = {
    ...bareEnvironment(),
    REFLECT_HOME: home,
    REFLECT_AGENTS_HOME: join(home, 'agents'),
    REFLECT_CAPTURE: 'true',
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
