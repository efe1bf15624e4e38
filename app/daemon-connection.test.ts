import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DaemonConnection } from './daemon-connection.ts';

// A daemon that is killed resets the connection instead of ending it. An error without a listener fails this run, as it
// would stop the app.
test('a connection that is reset is opened again', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'reflect-connection-'));
  const socket = path.join(folder, 'daemon.sock');
  const server = createServer({ pauseOnConnect: true }).listen(socket);
  await once(server, 'listening');
  const runFile = { pid: 1, socket, port: 1, token: 'token', version: '0.1.0', startedAt: 1 };
  const connection = new DaemonConnection(async () => runFile);
  const problems: unknown[] = [];
  const ended = connection.keepOpen((problem) => problems.push(problem));
  for (let count = 0; count < 2; count++) {
    const [accepted] = (await once(server, 'connection')) as [Socket];
    accepted.destroy();
  }
  connection.close();
  await ended;
  expect(problems).toEqual([]);
  server.close();
  rmSync(folder, { recursive: true });
});
