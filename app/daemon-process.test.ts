import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DaemonConnection } from './daemon-connection.ts';
import { DaemonProcess, findDaemon, reasonIn } from './daemon-process.ts';

// As much of a daemon as its run file and its socket: what these classes know of the real one.
const STAND_IN = `
  const { createServer } = require('node:net');
  const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
  const run = process.env.REFLECT_HOME + '/run';
  mkdirSync(run, { recursive: true });
  for (const left of ['/daemon.json', '/sock']) rmSync(run + left, { force: true }); // by one that was killed
  createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (lines) => {
      for (const line of String(lines).trim().split('\\n')) {
        const { id, method } = JSON.parse(line);
        if (method === 'daemon.stop') setTimeout(() => process.emit('SIGTERM'), 50);
        socket.write(JSON.stringify({ jsonrpc: '2.0', id, result: { method, pid: process.pid } }) + '\\n');
      }
    });
  }).listen(run + '/sock', () => {
    const runFile = { pid: process.pid, version: process.env.STAND_IN_VERSION, port: 1, socket: run + '/sock', token: 't'.repeat(32), startedAt: 1 };
    writeFileSync(run + '/daemon.json', JSON.stringify(runFile));
  });
  process.on('SIGTERM', () => {
    rmSync(run + '/daemon.json');
    process.exit(0);
  });
`;

let home: string;
const started: DaemonProcess[] = [];

function daemonProcess(script = STAND_IN, version = '1.0.0'): DaemonProcess {
  const daemon = new DaemonProcess({
    home,
    version,
    command: process.execPath,
    args: ['-e', script],
    env: { ...process.env, REFLECT_HOME: home, STAND_IN_VERSION: version },
    errorLog: path.join(home, 'start.log'),
  });
  started.push(daemon);
  return daemon;
}

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'reflect-app-'));
});
afterEach(async () => {
  for (const daemon of started.splice(0)) await daemon.stop();
  rmSync(home, { recursive: true });
});

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a daemon is started where none runs, and stopped with us', async () => {
  const daemon = daemonProcess();
  const runFile = await daemon.ensure();
  expect(await findDaemon(home)).toEqual({ state: 'running', runFile });
  await daemon.stop();
  expect(await findDaemon(home)).toEqual({ state: 'absent' });
  expect(isAlive(runFile?.pid ?? 0)).toBe(false);
});

test('a daemon that runs is adopted, and survives us', async () => {
  const first = await daemonProcess().ensure();
  const adopter = daemonProcess();
  expect(await adopter.ensure()).toEqual(first);
  await adopter.stop();
  expect(await findDaemon(home)).toMatchObject({ state: 'running' });
});

test('an older daemon makes room for ours, even one that hangs; a newer one is adopted', async () => {
  const old = await daemonProcess(STAND_IN, '0.9.0').ensure();
  const ours = await daemonProcess(STAND_IN, '0.10.0').ensure();
  expect(ours?.version).toBe('0.10.0');
  expect(isAlive(old?.pid ?? 0)).toBe(false);
  expect(await daemonProcess(STAND_IN, '0.9.0').ensure()).toEqual(ours);

  process.kill(ours?.pid ?? 0, 'SIGSTOP');
  expect((await daemonProcess(STAND_IN, '1.0.0').ensure())?.version).toBe('1.0.0');
  expect(isAlive(ours?.pid ?? 0)).toBe(false);
});

test('after a crash there is a new one; after a stop on purpose there is none', async () => {
  const daemon = daemonProcess();
  const first = await daemon.ensure();
  process.kill(first?.pid ?? 0, 'SIGKILL');
  await expect.poll(() => findDaemon(home)).toEqual({ state: 'crashed' });
  const second = await daemon.ensure();
  expect(second?.pid).not.toBe(first?.pid);

  process.kill(second?.pid ?? 0, 'SIGTERM');
  await expect.poll(() => findDaemon(home)).toEqual({ state: 'absent' });
  expect(await daemon.ensure()).toBeUndefined();
});

test('a daemon that cannot start says why', async () => {
  const daemon = daemonProcess("console.error('the disk is full'); process.exit(1)");
  await expect(daemon.ensure()).rejects.toThrow('The daemon did not start: the disk is full');
});

test('the reason is the sentence of the daemon, else of an exception', () => {
  expect(reasonIn('warming up\nreflect: /home is read-only\n')).toBe('/home is read-only');
  expect(reasonIn('file:///a.js:1\n\nSyntaxError: Unexpected token\n    at b\n\nNode.js v24\n')).toBe(
    'SyntaxError: Unexpected token',
  );
  expect(reasonIn('')).toBe('It printed nothing.');
});

test('a request fails at once and says why there is no daemon, and Start tries again without waiting', async () => {
  const gate = path.join(home, 'gate');
  const daemon = daemonProcess(
    `if (!require('node:fs').existsSync('${gate}')) { console.error('reflect: no room'); process.exit(1); }${STAND_IN}`,
  );
  const connection = new DaemonConnection(() => daemon.ensure());
  const ended = connection.keepOpen(() => undefined);
  const refused = { ok: false, code: 'unreachable', detail: 'The daemon did not start: no room' };
  expect(await connection.send('status', {})).toEqual(refused);
  writeFileSync(gate, '');
  daemon.startAgain();
  await expect.poll(() => connection.connected).toBe(true);
  expect(connection.problem).toBeNull();

  process.kill((await daemon.ensure())?.pid ?? 0, 'SIGTERM');
  await expect.poll(() => connection.problem).toBe('Reflect was stopped.');
  daemon.startAgain();
  await expect.poll(() => connection.connected).toBe(true);
  connection.close();
  await ended;
});

test('a run file that is half written or of another program counts as none', async () => {
  const daemon = daemonProcess();
  await daemon.ensure();
  const file = path.join(home, 'run', 'daemon.json');
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, whole.slice(0, 20));
  expect(await findDaemon(home)).toEqual({ state: 'absent' });
  writeFileSync(file, JSON.stringify({ ...JSON.parse(whole), socket: path.join(home, 'nobody') }));
  expect(await findDaemon(home)).toEqual({ state: 'crashed' });
  writeFileSync(file, whole);
});

test('questions wait for the first connection, fail at once in a gap, and reach the daemon that comes after a crash', async () => {
  const daemon = daemonProcess();
  const connection = new DaemonConnection(() => daemon.ensure());
  const links: boolean[] = [];
  connection.onLink(({ connected }) => links.push(connected));
  const ended = connection.keepOpen((problem) => expect.fail(String(problem)));

  const first = await connection.send('status', {});
  expect(first).toMatchObject({ ok: true, value: { method: 'status' } });
  const { pid } = (first as { value: { pid: number } }).value;
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => connection.connected).toBe(false);
  expect(await connection.send('status', {})).toEqual({ ok: false, code: 'unreachable' });
  await expect.poll(() => connection.connected).toBe(true);
  expect(await connection.send('status', {})).toMatchObject({ ok: true });
  expect(links).toEqual([true, false, true]);

  connection.close();
  await ended;
});
