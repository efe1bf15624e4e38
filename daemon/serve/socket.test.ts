import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsOf } from '../platform/paths.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { EventHub } from './events.ts';
import { listenOnSocket, ownFolder } from './socket.ts';
import { Tokens } from './token.ts';

test('the folder of the socket is closed to others, also where it was open before', () => {
  const folder = join(tempFolder(), 'run');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  ownFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('a link in its place is refused: its owner decides where it leads', () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'theirs'));
  symlinkSync(join(folder, 'theirs'), join(folder, 'run'));
  expect(() => ownFolder(join(folder, 'run'))).toThrow(/belongs to someone else/);
});

test('a folder of another user is refused', ({ skip }) => {
  if (process.getuid?.() === 0) skip('root owns what it makes, and every folder here is its own');
  expect(() => ownFolder('/')).toThrow(/belongs to someone else/);
});

test('a deep home gets a short path, whatever the temporary folder is', () => {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = `/${'t'.repeat(200)}`;
  try {
    const { socket } = pathsOf(`/${'h'.repeat(200)}`, 'linux');
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100);
  } finally {
    process.env.TMPDIR = before;
    if (before === undefined) delete process.env.TMPDIR;
  }
});

test('a client that asks and does not read is cut off, and others are answered', async () => {
  const path = join(tempFolder(), 'run', 'daemon.sock');
  const tokens = new Tokens(() => 0);
  const value = 'x'.repeat(1_000_000);
  const door = await listenOnSocket({
    path,
    tokens,
    dispatch: () => Promise.resolve({ ok: true, value }),
    events: new EventHub(() => {}),
    onError: () => {},
  });
  const ask = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'status', token: tokens.current })}\n`;
  const deaf = connect(path).pause();
  const cutOff = new Promise((resolve) => deaf.on('error', () => {}).once('close', resolve));
  const asking = setInterval(() => deaf.write(ask), 1);
  await cutOff; // or the test never ends
  clearInterval(asking);
  const reader = connect(path);
  reader.write(ask);
  let heard = '';
  for await (const chunk of reader.setEncoding('utf8') as AsyncIterable<string>)
    if ((heard += chunk).includes('\n')) break;
  expect(heard).toContain(value);
  await door.close();
});
