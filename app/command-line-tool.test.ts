import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { installCommandLineTool } from './command-line-tool.ts';

const CLI = fileURLToPath(new URL('../daemon/cli/main.ts', import.meta.url));

function temporaryHome(): string {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'reflect app ')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

test('the command is put where a terminal finds it, and it runs', async () => {
  const home = temporaryHome();
  const bin = path.join(home, '.local', 'bin');
  mkdirSync(bin, { recursive: true });
  const sentence = await installCommandLineTool(CLI, {
    HOME: home,
    PATH: `${bin}${path.delimiter}${process.env['PATH'] ?? ''}`,
  });
  expect(sentence).toBe(`You can now type \`reflect\` in any terminal (${path.join(bin, 'reflect')}).`);
  expect(
    execFileSync('/bin/sh', ['-c', 'reflect hook SessionStart < /dev/null'], {
      env: { HOME: home, PATH: `${bin}:/usr/bin:/bin` },
      encoding: 'utf8',
    }),
  ).toBe('');
});

test("where none of its places is on the path it goes to Reflect's own folder, and an AppImage is told why not", async () => {
  const home = temporaryHome();
  expect(await installCommandLineTool(CLI, { HOME: home, PATH: '/usr/bin' })).toContain(
    `Installed as ${path.join(home, '.reflect', 'bin', 'reflect')}. Add its folder`,
  );
  await expect(
    installCommandLineTool(CLI, { HOME: home, PATH: '', APPDIR: path.dirname(process.execPath) }),
  ).rejects.toThrow('an AppImage is mounted at a new path');
});
