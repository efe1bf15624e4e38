import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { openLog } from './log.ts';

test('a line has the time, the level and the message, with the stack of an error', () => {
  const folder = join(tempFolder(), 'logs');
  const log = openLog(folder);
  log.info('listening');
  log.error('draining', new Error('no room'));
  log.error('odd', 'a text was thrown');
  const [first, second, ...rest] = readFileSync(join(folder, 'daemon.log'), 'utf8').split('\n');
  expect(first).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z info listening$/);
  expect(second).toMatch(/error draining: Error: no room$/);
  expect(rest.join('\n')).toMatch(/at .*log\.test\.ts[\s\S]*error odd: a text was thrown/);
});

test('the log rotates by size and keeps three old files', () => {
  const folder = join(tempFolder(), 'logs');
  const log = openLog(folder, { largestFile: 1_000 });
  for (let line = 0; line < 200; line++) log.info(`line ${line} ünïcödé`);
  expect(readdirSync(folder).toSorted()).toEqual([
    'daemon.log',
    'daemon.log.1',
    'daemon.log.2',
    'daemon.log.3',
  ]);
  for (const name of readdirSync(folder))
    expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1_000);
  expect(readFileSync(join(folder, 'daemon.log'), 'utf8')).toContain('line 199');
  expect(readFileSync(join(folder, 'daemon.log.1'), 'utf8')).not.toContain('line 199');
});

test('only the owner can read logs', () => {
  const folder = join(tempFolder(), 'logs');
  openLog(folder).info('hello');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'daemon.log')).mode & 0o777).toBe(0o600);
});

test('a log that cannot be written does not take the daemon down', () => {
  const folder = join(tempFolder(), 'logs');
  mkdirSync(join(folder, 'daemon.log'), { recursive: true }); // a folder stands where the file should be
  expect(() => openLog(folder).info('hello')).not.toThrow();
});
