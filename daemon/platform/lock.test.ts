import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startScript } from '../testing/child-script.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { readRunFile, removeRunFile, takeLock, writeRunFile } from './lock.ts';

const lockIn = (folder: string) => join(folder, 'run', 'lock');

test('a second lock fails until the first is released', () => {
  const file = lockIn(tempFolder());
  const first = takeLock(file);
  expect(first).not.toBeNull();
  expect(takeLock(file)).toBeNull();
  first?.release();
  const second = takeLock(file);
  expect(second).not.toBeNull();
  second?.release();
});

test('another process that holds the lock keeps us out; once it is killed, the lock is free', async () => {
  const file = lockIn(tempFolder());
  const holder = startScript('hold-lock.ts', [file]);
  expect(String((await once(holder.stdout, 'data'))[0])).toBe('held\n');
  expect(takeLock(file)).toBeNull();
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const ours = takeLock(file);
  expect(ours).not.toBeNull();
  ours?.release();
});

test('only the owner can read the lock', () => {
  const file = lockIn(tempFolder());
  takeLock(file)?.release();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
});

const RUN = {
  pid: 7,
  version: '0.1.0',
  port: 4711,
  socket: '/run/x.sock',
  token: 't'.repeat(32),
  startedAt: 1,
};

test('a run file is read as written, only its owner can read it, and it can be removed', () => {
  const file = join(tempFolder(), 'run', 'daemon.json');
  writeRunFile(file, RUN);
  expect(readRunFile(file)).toEqual(RUN);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  removeRunFile(file);
  removeRunFile(file);
  expect(readRunFile(file)).toBeNull();
});

test.each(['', '{', '{"pid":1}', '[]', 'null'])(
  'a run file that contains %j counts as missing',
  (content) => {
    const file = join(tempFolder(), 'daemon.json');
    writeFileSync(file, content);
    expect(readRunFile(file)).toBeNull();
  },
);
