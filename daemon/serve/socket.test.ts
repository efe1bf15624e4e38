import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsOf } from '../platform/paths.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { ownFolder } from './socket.ts';

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
  expect(() => ownFolder(join(folder, 'run'))).toThrow(/belongs to somebody else/);
});

test('a folder of another user is refused', ({ skip }) => {
  if (process.getuid?.() === 0) skip('root owns what it makes, and every folder here is its own');
  expect(() => ownFolder('/')).toThrow(/belongs to somebody else/);
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
