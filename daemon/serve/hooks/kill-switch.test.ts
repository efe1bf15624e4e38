import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { pathsOf } from '../../platform/paths.ts';
import { tempFolder } from '../../testing/temp-home.ts';

const CLIENT = fileURLToPath(new URL('client.ts', import.meta.url));

/** Somebody who answers every hook, and counts them. */
async function daemonAt(home: string): Promise<() => number> {
  let asked = 0;
  const { run, runFile, socket } = pathsOf(home);
  const server = createServer((client) => client.once('data', () => {
    asked++;
    client.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { output: 'what was learned' } })}\n`);
  }));
  mkdirSync(run, { recursive: true });
  writeFileSync(runFile, JSON.stringify({ socket, token: 't' }));
  await new Promise<void>((listening) => server.listen(socket, listening));
  onTestFinished(() => void server.close());
  return () => asked;
}

async function hook(environment: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [CLIENT, 'SessionStart'], { env: { ...process.env, ...environment }, stdio: ['pipe', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end('{}');
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

test('with REFLECT_DISABLED=1 a hook says nothing and asks nobody', async () => {
  const home = tempFolder();
  const asked = await daemonAt(home);
  expect(await hook({ REFLECT_HOME: home, REFLECT_DISABLED: '1' })).toEqual({ code: 0, output: '' });
  expect(asked()).toBe(0);
  expect(await hook({ REFLECT_HOME: home })).toEqual({ code: 0, output: 'what was learned' });
  expect(asked()).toBe(1);
});
