import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { claimFile, moveFile, writeFileAtomic } from './files.ts';

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

test('only the owner can read a written file and the folders created for it', () => {
  const folder = tempFolder();
  writeFileAtomic(join(folder, 'a', 'b', 'note.md'), 'text');
  expect(readFileSync(join(folder, 'a', 'b', 'note.md'), 'utf8')).toBe('text');
  expect(modeOf(join(folder, 'a', 'b', 'note.md'))).toBe('600');
  expect([modeOf(join(folder, 'a')), modeOf(join(folder, 'a', 'b'))]).toEqual(['700', '700']);
  expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['note.md']);
});

test('a full disk leaves the old content and no partial file', () => {
  const folder = tempFolder();
  const file = join(folder, 'note.md');
  writeFileSync(file, 'old');
  // A limit on the size of files gives the write the error a full disk would.
  const script = fileURLToPath(new URL('../testing/write-file.ts', import.meta.url));
  const { status, stdout } = spawnSync(
    'bash',
    ['-c', `trap '' XFSZ; ulimit -f 8; exec "$0" "$1" "$2" 100000`, process.execPath, script, file],
    { encoding: 'utf8' },
  );
  expect({ status, stdout }).toEqual({ status: 3, stdout: 'EFBIG' });
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['note.md']);
});

test('a target that cannot be replaced is an error, and no temporary file is left', () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'note.md', 'inside'), { recursive: true });
  expect(() => writeFileAtomic(join(folder, 'note.md'), 'text')).toThrow(/EISDIR|EEXIST|ENOTEMPTY|EPERM/);
  expect(readdirSync(folder)).toEqual(['note.md']);
});

test('a read-only folder is an error, and the old content stays', () => {
  const folder = tempFolder();
  const file = join(folder, 'note.md');
  writeFileSync(file, 'old', { mode: 0o666 });
  chmodSync(folder, 0o555);
  const result = asNobody(file);
  chmodSync(folder, 0o755);
  expect(result).toMatch(/EACCES|EPERM/);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['note.md']);
});

/** Root may write anywhere, so the refusal is asked for without its rights. */
function asNobody(file: string): string {
  const root = process.getuid?.() === 0;
  const before = process.geteuid?.() ?? 0;
  if (root) process.seteuid?.(65_534);
  try {
    writeFileAtomic(file, 'new');
    return 'written';
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  } finally {
    if (root) process.seteuid?.(before);
  }
}

test('only the owner can read a claimed file, and its content stays', () => {
  const file = join(tempFolder(), 'run', 'lock');
  claimFile(file);
  expect(existsSync(file) && modeOf(file)).toBe('600');
  writeFileSync(file, 'content');
  claimFile(file);
  expect(readFileSync(file, 'utf8')).toBe('content');
});

/** A rename that another program stands in the way of so many times. */
function heldFor(times: number, code: string) {
  let tries = 0;
  const rename = () => {
    if (++tries <= times) throw Object.assign(new Error(code), { code });
  };
  return { rename, tries: () => tries };
}

test.each(['EPERM', 'EACCES', 'EBUSY'])('on Windows a move waits for whoever holds the file: %s', (code) => {
  const held = heldFor(3, code);
  moveFile('a', 'b', 'win32', held.rename);
  expect(held.tries()).toBe(4);
});

test('on Windows a move gives up in the end, and at once when waiting would not help', () => {
  const held = heldFor(Infinity, 'EBUSY');
  expect(() => moveFile('a', 'b', 'win32', held.rename)).toThrow('EBUSY');
  expect(held.tries()).toBe(9);
  const missing = heldFor(Infinity, 'ENOENT');
  expect(() => moveFile('a', 'b', 'win32', missing.rename)).toThrow('ENOENT');
  expect(missing.tries()).toBe(1);
});

test.each(['linux', 'darwin'] as const)('on %s a refused move is final', (system) => {
  const held = heldFor(Infinity, 'EPERM');
  expect(() => moveFile('a', 'b', system, held.rename)).toThrow('EPERM');
  expect(held.tries()).toBe(1);
});
