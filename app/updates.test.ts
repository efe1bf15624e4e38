import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isTrustworthyFeed, isUnsigned, updateObstacle, Updates, type UpdateState } from './updates.ts';

function world() {
  const folder = mkdtempSync(path.join(tmpdir(), 'reflect-updates-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const states: UpdateState[] = [];
  const updates = new Updates((state) => states.push(state));
  const start = (feed: string | null, isPackaged = true, env = {}) =>
    updates.start(
      { feed, isPackaged, resources: path.join(folder, 'resources'), userData: folder, env },
      () => undefined,
    );
  return { updates, states, start, folder };
}

test('without a feed nothing happens', async () => {
  const { updates, states, start } = world();
  await start(null);
  expect(updates.state).toEqual({ kind: 'off' });
  expect(states).toEqual([]);
});

test('only a protected address is a feed, or one of this machine', () => {
  expect(
    ['https://example.org/reflect', 'http://127.0.0.1:8080/', 'http://localhost/x', 'http://[::1]:1/'].filter(
      isTrustworthyFeed,
    ),
  ).toHaveLength(4);
  expect(
    [
      'http://example.org/reflect',
      'ftp://example.org',
      'file:///tmp',
      'http://127.0.0.1.example.org/',
      '',
      'x',
    ].filter(isTrustworthyFeed),
  ).toEqual([]);
});

test('another address is refused by name', async () => {
  const { updates, start } = world();
  await expect(start('http://example.org/')).rejects.toThrow('http://example.org/');
  expect(updates.state).toEqual({ kind: 'off' });
});

test('the window gives way before the updater closes it, as macOS does before the app quits', async () => {
  const steps: string[] = [];
  // Electron's own updater runs in Electron only.
  const updater = Object.assign(new EventEmitter(), {
    checkForUpdates: async () => updater.emit('update-downloaded', { version: '2.0.0' }),
    quitAndInstall: () => steps.push('install'),
  });
  vi.doMock('electron-updater', () => ({ default: { autoUpdater: updater } }));
  onTestFinished(() => vi.doUnmock('electron-updater'));
  const { updates, start, folder } = world();
  writeFileSync(path.join(folder, 'Uninstall Reflect.exe'), ''); // as installed on Windows
  const release = {
    releaseWindow: () => void steps.push('window'),
    close: async () => void steps.push('close'),
    releaseLock: () => void steps.push('lock'),
    onFailure: () => void steps.push('failed'),
  };
  await updates.restart(release);
  expect(steps).toEqual([]);
  await start('https://example.org/', true, { APPIMAGE: '/apps/Reflect.AppImage' });
  expect(updates.state).toEqual({ kind: 'ready', version: '2.0.0' });
  await Promise.all([updates.restart(release), updates.restart(release)]);
  expect(steps).toEqual(['window', 'close', 'lock', 'install']);
});

test('an app that cannot replace itself says so', async () => {
  const { updates, start } = world();
  await start('https://example.org/', false);
  expect(updates.state).toEqual({
    kind: 'impossible',
    why: 'This Reflect runs from source; update it with git',
  });
  expect(updateObstacle('linux', true, {}, false)).toBe('On Linux only the AppImage updates itself');
  expect(updateObstacle('linux', true, { APPIMAGE: '/apps/Reflect.AppImage' }, false)).toBeNull();
  expect(updateObstacle('darwin', true, {}, false)).toBeNull();
  expect(updateObstacle('win32', true, {}, true)).toBeNull();
  expect(updateObstacle('win32', true, {}, false)).toBe(
    'On Windows only an installed Reflect updates itself',
  );
  expect(isUnsigned(new Error('Could not get code signature for running application'))).toBe(true);
  expect(isUnsigned(new Error('net::ERR_FAILED'))).toBe(false);
});
