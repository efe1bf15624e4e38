import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isTrustworthyFeed, isUnsigned, updateObstacle, Updates, type UpdateState } from './updates.ts';

function world() {
  const folder = mkdtempSync(path.join(tmpdir(), 'reflect-updates-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const states: UpdateState[] = [];
  const updates = new Updates((state) => states.push(state));
  const start = (feed: string | null, isPackaged = true) =>
    updates.start({ feed, isPackaged, resources: folder, userData: folder, env: {} }, () => undefined);
  return { updates, states, start };
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

test('an app that cannot replace itself says so', async () => {
  const { updates, start } = world();
  await start('https://example.org/', false);
  expect(updates.state).toEqual({
    kind: 'impossible',
    why: 'Reflect runs from its sources; update those',
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
