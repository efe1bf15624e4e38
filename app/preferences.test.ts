import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
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
    zoom: 0,
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

test('a choice that cannot be stored still counts', () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  const file = path.join(folder, 'shell.json');
  mkdirSync(`${file}.new`);
  const preferences = new PreferencesFile(file);
  preferences.change({ notify: false });
  expect(preferences.current.notify).toBe(false);
  expect(errors).toHaveBeenCalledOnce();
});
