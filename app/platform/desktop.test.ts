import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { LINK_SCHEME } from '../links.ts';
import { APP_ID, forgetsDesktops, opensOnTrayClick, quickSearchOptions, registersLinks } from './desktop.ts';

const SYSTEMS = ['linux', 'darwin', 'win32'] as const;

test('a click on the tray icon opens the window, but on macOS its menu', () => {
  expect(SYSTEMS.map(opensOnTrayClick)).toEqual([true, false, true]);
});

test('quick-search leaves the editor active on macOS and the taskbar alone elsewhere', () => {
  expect(SYSTEMS.map(quickSearchOptions)).toEqual([
    { skipTaskbar: true },
    { type: 'panel' },
    { skipTaskbar: true },
  ]);
  expect(SYSTEMS.map(forgetsDesktops)).toEqual([true, false, false]);
});

test('a packed app registers its links where its package does not', () => {
  expect(SYSTEMS.map((system) => registersLinks(system, true))).toEqual([false, true, true]);
  expect(SYSTEMS.map((system) => registersLinks(system, false))).toEqual([false, false, false]);
});

test('the package has the name and the links that the app has, and every file that it names exists', () => {
  const configuration = readFileSync('electron-builder.yml', 'utf8');
  const { appId, protocols } = parse(configuration) as {
    appId: string;
    protocols: { schemes: string[] }[];
  };
  expect(appId).toBe(APP_ID);
  expect(protocols.flatMap(({ schemes }) => schemes)).toEqual([LINK_SCHEME]);
  const named = [...configuration.matchAll(/\bapp\/[\w./-]+/g)].map(([file]) => file);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});
