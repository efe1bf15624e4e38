import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { spawnable } from './spawnable.ts';

test.each(['linux', 'darwin'] as const)('on %s a command is started as it is', (system) => {
  expect(spawnable(['claude', '-p', 'a "b"'], {}, system)).toEqual({
    file: 'claude',
    args: ['-p', 'a "b"'],
    windowsVerbatimArguments: false,
  });
});

test('on Windows a program is started as it is, and a bare name is looked up', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'claude.exe'), '', { mode: 0o755 });
  expect(spawnable(['claude', '-p'], { Path: folder }, 'win32')).toEqual({
    file: join(folder, 'claude.exe'),
    args: ['-p'],
    windowsVerbatimArguments: false,
  });
  expect(spawnable(['C:\\git\\git.exe', 'log'], {}, 'win32').file).toBe('C:\\git\\git.exe');
  expect(spawnable(['missing'], { Path: folder }, 'win32').file).toBe('missing');
});

test("on Windows npm's scripts go through cmd.exe, which can neither split nor expand an argument", () => {
  const script = 'C:\\Users\\Ada (R&D)\\npm\\codex.cmd';
  const line = (argument: string) => spawnable([script, argument], {}, 'win32').args.at(-1);
  expect(spawnable([script], {}, 'win32')).toEqual({
    file: 'cmd.exe',
    args: ['/d', '/s', '/c', '"C:\\Users\\Ada^ ^(R^&D^)\\npm\\codex.cmd"'],
    windowsVerbatimArguments: true,
  });
  expect(line('exec')).toContain(' ^^^"exec^^^""');
  expect(line('a&b')).toContain('^^^"a^^^&b^^^"');
  expect(line('%PATH%')).toContain('^^^%PATH^^^%');
  expect(line('say "hi"\\')).toContain('^^^"say^^^ \\^^^"hi\\^^^"\\\\^^^"');
});
