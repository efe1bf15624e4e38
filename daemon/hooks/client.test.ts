import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pathsOf } from '../platform/paths.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { wakeDaemon } from './wake-daemon.ts';

const CLIENT = fileURLToPath(new URL('client.ts', import.meta.url));
const SILENCE = { code: 0, output: '', complaint: '' };

type Answer = (
  request: { params: { event: string; payload: Record<string, unknown>; withinMs: number } },
  client: Socket,
) => void;
const reply =
  (result: unknown): Answer =>
  (_request, client) =>
    client.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...(result as object) })}\n`);
const LEARNED = reply({ result: { output: 'what was learned' } });

/** Somebody at the socket of a home, and what he was asked. */
async function daemonAt(home: string, answer: Answer): Promise<Array<Parameters<Answer>[0]>> {
  const asked: Array<Parameters<Answer>[0]> = [];
  const { run, runFile, socket } = pathsOf(home);
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    let text = '';
    client
      .on('error', () => client.destroy())
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        text += chunk;
        if (!text.endsWith('\n')) return;
        const request = JSON.parse(text) as Parameters<Answer>[0];
        asked.push(request);
        answer(request, client);
      });
  });
  mkdirSync(run, { recursive: true });
  writeFileSync(runFile, JSON.stringify({ socket, token: 't' }));
  await new Promise<void>((listening) => server.listen(socket, listening));
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  return asked;
}

interface How {
  agent?: string;
  event?: string;
  input?: string;
  leaveOpen?: boolean;
  argument?: string;
  environment?: Record<string, string>;
}

async function hook(
  home: string,
  {
    agent = 'claude-code',
    event = 'SessionStart',
    input = '{}',
    leaveOpen = false,
    argument,
    environment = {},
  }: How = {},
): Promise<typeof SILENCE> {
  const child = spawn(
    process.execPath,
    [CLIENT, event, agent, ...(argument === undefined ? [] : [argument])],
    { env: { ...process.env, REFLECT_HOME: home, ...environment }, stdio: 'pipe' },
  );
  let [output, complaint] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  child.stdin.on('error', () => undefined);
  if (leaveOpen) child.stdin.write(input);
  else child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  return { code, output, complaint };
}

describe('a hook', () => {
  test('prints the answer of the daemon, and sends it the deadline', async () => {
    const home = tempFolder();
    const asked = await daemonAt(home, LEARNED);
    expect(await hook(home, { input: '{"cwd":"/shop"}' })).toEqual({
      ...SILENCE,
      output: 'what was learned',
    });
    await hook(home, { event: 'Stop', environment: { REFLECT_HOOK_MS: '450' } });
    expect(asked.map(({ params: { event, payload, withinMs } }) => [event, payload, withinMs])).toEqual([
      ['SessionStart', { cwd: '/shop', asked_at: expect.any(Number) }, 1_500],
      ['Stop', { asked_at: expect.any(Number) }, 450],
    ]);
  });

  test('of git takes its time, because git does not wait for it', async () => {
    const home = tempFolder();
    const asked = await daemonAt(home, LEARNED);
    await hook(home, { agent: 'git', event: 'post-commit', input: '' });
    expect(asked.map(({ params }) => params.withinMs)).toEqual([20_000]);
  });

  test('with REFLECT_DISABLED=1 prints nothing and does not connect', async () => {
    const home = tempFolder();
    const asked = await daemonAt(home, LEARNED);
    expect(await hook(home, { environment: { REFLECT_DISABLED: '1' } })).toEqual(SILENCE);
    expect(asked).toEqual([]);
  });

  test('whose agent never closes its input is answered all the same', async () => {
    const home = tempFolder();
    await daemonAt(home, LEARNED);
    expect((await hook(home, { input: '{"prompt":"a } b"}', leaveOpen: true })).output).toBe(
      'what was learned',
    );
  });

  test('takes the JSON that Codex gives its notify program as an argument', async () => {
    const home = tempFolder();
    const asked = await daemonAt(home, LEARNED);
    await hook(home, { event: 'agent-turn-complete', argument: '{"thread-id":"t1"}', leaveOpen: true });
    expect(asked[0]?.params.payload).toMatchObject({ 'thread-id': 't1' });
  });

  test('sends only the beginning of a huge text', async () => {
    const home = tempFolder();
    const asked = await daemonAt(home, LEARNED);
    await hook(home, {
      event: 'PostToolUse',
      input: JSON.stringify({ session_id: 's', tool_response: 'x'.repeat(5_000_000) }),
    });
    expect(asked[0]?.params.payload).toMatchObject({ session_id: 's', tool_response: 'x'.repeat(20_000) });
  });

  test.each<[string, Answer]>([
    ['hangs', () => undefined],
    ['is of another version and refuses', reply({ error: { code: -32602, message: 'unknown field' } })],
    ['is of another version and answers otherwise', reply({ result: { output: { text: 'x' } } })],
    ['talks nonsense', (_request, client) => void client.end('}{\n')],
    ['restarts in the middle', (_request, client) => client.destroy()],
    ['answers half a line', (_request, client) => void client.end('{"result"')],
  ])('is silent when the daemon %s', async (_how, answer) => {
    const home = tempFolder();
    await daemonAt(home, answer);
    expect(await hook(home, { environment: { REFLECT_HOOK_START_MS: '250' } })).toEqual(SILENCE);
  });

  test.each([
    ['there is no home', (home: string) => join(home, 'nowhere'), '{}'],
    [
      'the daemon is gone and left its file',
      (home: string) => {
        const { run, runFile, socket } = pathsOf(home);
        mkdirSync(run);
        writeFileSync(runFile, JSON.stringify({ socket, token: 't' }));
        return home;
      },
      '{}',
    ],
    [
      'the run file is damaged',
      (home: string) => {
        mkdirSync(pathsOf(home).run);
        writeFileSync(pathsOf(home).runFile, '{"socket');
        return home;
      },
      '{}',
    ],
  ])('is silent when %s', async (_what, prepare, input) => {
    expect(await hook(prepare(tempFolder()), { input })).toEqual(SILENCE);
  });

  test('is silent about input that is not JSON', async () => {
    const home = tempFolder();
    await daemonAt(home, LEARNED);
    expect(await hook(home, { input: 'hello }' })).toEqual(SILENCE);
  });
});

describe('a hook that finds no daemon', () => {
  /** A home that has had a daemon, and in its place a program that leaves a mark when it is started. */
  function homeWithProgram() {
    const home = tempFolder();
    mkdirSync(pathsOf(home).run);
    writeFileSync(pathsOf(home).database, '');
    const program = join(home, 'daemon.mjs');
    const mark = join(home, 'started');
    writeFileSync(
      program,
      `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(mark)}, process.env.REFLECT_HOME + '\\n');`,
    );
    const wake = (now = Date.now(), environment = {}) =>
      wakeDaemon(home, { ...process.env, ...environment }, now, program);
    return {
      home,
      mark,
      wake,
      starts: () => (existsSync(mark) ? readFileSync(mark, 'utf8').trim().split('\n') : []),
    };
  }

  test('starts one beside the agent, and not again within a minute', async () => {
    const { home, wake, starts } = homeWithProgram();
    wake();
    wake();
    await expect.poll(starts).toEqual([home]);
    utimesSync(join(pathsOf(home).run, 'woken'), 0, Date.now() / 1_000 - 61);
    wake();
    await expect.poll(starts).toEqual([home, home]);
  });

  test('does not when a person stopped it, when that is switched off, and without a home', async () => {
    const { home, wake, starts } = homeWithProgram();
    wake(Date.now(), { REFLECT_HOOK_WAKE: 'off' });
    writeFileSync(pathsOf(home).stayStopped, '');
    wake();
    const other = tempFolder();
    wakeDaemon(other, process.env, Date.now(), join(home, 'daemon.mjs'));
    expect(existsSync(join(pathsOf(home).run, 'woken'))).toBe(false);
    expect(existsSync(pathsOf(other).run)).toBe(false);
    expect(starts()).toEqual([]);
  });
});
