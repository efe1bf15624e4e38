import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { findProgram } from './find-program.ts';

function folderWith(...names: string[]): string {
  const folder = tempFolder();
  for (const name of names) writeFileSync(join(folder, name), '', { mode: 0o755 });
  return folder;
}

test.each(['linux', 'darwin'] as const)(
  'on %s a program is the first file of its name on the PATH',
  (system) => {
    const [first, second] = [folderWith('codex'), folderWith('codex', 'claude')];
    const environment = { PATH: `${first}:${second}` };
    expect(findProgram('codex', environment, system)).toBe(join(first, 'codex'));
    expect(findProgram('claude', environment, system)).toBe(join(second, 'claude'));
    expect(findProgram('gemini', environment, system)).toBeNull();
  },
);

test('on Windows a program has an extension, and the PATH may be called Path', () => {
  const folder = folderWith('claude.exe', 'claude.cmd', 'codex.cmd');
  expect(findProgram('claude', { Path: folder }, 'win32')).toBe(join(folder, 'claude.exe'));
  expect(findProgram('codex', { Path: `C:\\none;${folder}` }, 'win32')).toBe(join(folder, 'codex.cmd'));
});
