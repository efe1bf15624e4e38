import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startScript } from '../testing/child-script.ts';
import { tempFolder } from '../testing/temp-home.ts';
import { readRunFile, removeRunFile, takeLock, writeRunFile } from './lock.ts';

const lockIn = (folder: string) => join(folder, 'run', 'lock');

test('the second taker gets nothing until the first lets go', () => {
  const file = lockIn(tempFolder());
  const first = takeLock(file);
  expect(first).not.toBeNull();
  expect(takeLock(file)).toBeNull();
  first?.release();
  const second = takeLock(file);
  expect(second).not.toBeNull();
  second?.release();
});

test('another process that holds the lock keeps us out, and once it is killed the lock is free at once', async () => {
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

test("the lock is the owner's alone", () => {
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

test('a run file comes back as written, readable by its owner only, and is gone when removed', () => {
  const file = join(tempFolder(), 'run', 'daemon.json');
  writeRunFile(file, RUN);
  expect(readRunFile(file)).toEqual(RUN);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  removeRunFile(file);
  removeRunFile(file);
  expect(readRunFile(file)).toBeNull();
});

test.each(['', '{', '{"pid":1}', '[]', 'null'])('a run file that says %j is as good as none', (content) => {
  const file = join(tempFolder(), 'daemon.json');
  writeFileSync(file, content);
  expect(readRunFile(file)).toBeNull();
});
