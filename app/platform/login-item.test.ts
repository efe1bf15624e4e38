import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loginItem, opensHidden, writeAutostart } from './login-item.ts';

test('the entry names the command, odd signs and all, and goes when it is switched off', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'reflect-login-'));
  try {
    const file = path.join(folder, 'autostart', 'reflect.desktop');
    writeAutostart(folder, ['/opt/My Reflect/re"flect 100%', '--hidden'], true);
    expect(readFileSync(file, 'utf8')).toContain('Exec="/opt/My Reflect/re\\"flect 100%%" "--hidden"\n');
    writeAutostart(folder, [], false);
    expect(existsSync(file)).toBe(false);
    expect(() => writeAutostart(folder, [], false)).not.toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const PACKED = { executable: '/opt/Reflect/reflect-desktop', appPath: null, appImage: undefined };
const CLONE = { executable: '/electron', appPath: '/my clone', appImage: undefined };

test('on Linux a login starts the app hidden by a file, an AppImage by its own path', () => {
  expect(loginItem('linux', PACKED, true)).toEqual({
    kind: 'autostart-file',
    command: ['/opt/Reflect/reflect-desktop', '--hidden'],
  });
  expect(loginItem('linux', { ...PACKED, appImage: '/apps/Reflect.AppImage' }, true)).toMatchObject({
    command: ['/apps/Reflect.AppImage', '--hidden'],
  });
  expect(loginItem('linux', CLONE, true)).toMatchObject({ command: ['/electron', '/my clone', '--hidden'] });
});

test('on Windows the arguments are part of the login item, on macOS it has none', () => {
  expect(loginItem('win32', PACKED, true)).toEqual({
    kind: 'setting',
    settings: { openAtLogin: true, args: ['--hidden'] },
  });
  expect(loginItem('win32', CLONE, false)).toMatchObject({
    settings: { openAtLogin: false, args: ['"/my clone"', '--hidden'] },
  });
  expect(loginItem('darwin', PACKED, true)).toEqual({ kind: 'setting', settings: { openAtLogin: true } });
});

test('a start at login opens no window; macOS says so itself, the others by a flag', () => {
  expect(opensHidden('linux', ['reflect-desktop', '--hidden'], () => false)).toBe(true);
  expect(opensHidden('win32', ['Reflect.exe'], () => true)).toBe(false);
  expect(opensHidden('darwin', ['Reflect'], () => true)).toBe(true);
  expect(opensHidden('darwin', ['Reflect'], () => false)).toBe(false);
});
