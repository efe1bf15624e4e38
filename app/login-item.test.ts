import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeAutostart } from './login-item.ts';

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
