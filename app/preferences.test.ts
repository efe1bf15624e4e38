import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PreferencesFile } from './preferences.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'reflect-preferences-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('what was changed is there in the next run, the rest as shipped', () => {
  const file = path.join(folder, 'not-there-yet', 'shell.json');
  new PreferencesFile(file).change({ keepRunning: true });
  expect(new PreferencesFile(file).current).toEqual({
    window: null,
    quickSearch: null,
    keepRunning: true,
    notify: true,
    openAtLogin: false,
    updateFeed: null,
  });
});

test('a spoilt file counts as none', () => {
  const file = path.join(folder, 'shell.json');
  writeFileSync(file, '{"keepRunning": tr');
  expect(new PreferencesFile(file).current.keepRunning).toBe(false);
});
