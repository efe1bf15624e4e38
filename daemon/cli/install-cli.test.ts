import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareEnvironment, CLI, type Ran, runNode } from '../testing/command-line.ts';
import { tempFolder } from '../testing/temp-home.ts';

function reflect(home: string, ...args: string[]): Promise<Ran> {
  const env = { ...bareEnvironment(), HOME: home, REFLECT_AGENTS_HOME: home };
  return runNode([CLI, ...args], { env, cwd: home });
}

function homeWith(...folders: string[]): string {
  const home = tempFolder();
  for (const folder of folders) mkdirSync(join(home, folder));
  return home;
}

test('a dry run shows a diff, install writes it, uninstall reverts it', async () => {
  const home = homeWith('.codex');
  const file = join(home, '.codex', 'config.toml');
  writeFileSync(file, 'model = "gpt-5"\n');
  const dry = await reflect(home, 'install', 'codex', '--dry-run');
  expect(dry).toMatchObject({ code: 0, err: '' });
  expect(dry.out).toContain(
    `--- ${file}\n+++ ${file}\n@@ -1,1 +1,6 @@\n model = "gpt-5"\n+\n+# Reflect, put here by`,
  );
  expect(readFileSync(file, 'utf8')).toBe('model = "gpt-5"\n');
  const done = await reflect(home, 'install', 'codex');
  expect(done.out).toMatch(
    /^✓ Codex\n {2}created {3}.*hooks\.json \(hooks\)\n {2}changed {3}.*config\.toml \(MCP server\)\n {2}! Codex runs a hook only after you trust it/,
  );
  const [outcome] = JSON.parse((await reflect(home, 'uninstall', 'codex', '--json')).out) as {
    files: { change: string }[];
  }[];
  expect(outcome?.files.map(({ change }) => change)).toEqual(['removed', 'changed']);
  expect(readFileSync(file, 'utf8')).toBe('model = "gpt-5"\n');
});

test('--all serves every agent that is there; one whose file is broken does not keep the others from it, and a script notices', async () => {
  const home = homeWith('.claude', '.gemini');
  writeFileSync(join(home, '.gemini', 'settings.json'), '{\n  oops\n}');
  const { code, out, err } = await reflect(home, 'install', '--all');
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('✓ Claude Code') as string });
  expect(err).toMatch(/✗ Gemini CLI: .*settings\.json, line 2, is not valid JSON/);
  expect(existsSync(join(home, '.claude', 'settings.json'))).toBe(true);
  expect(out).not.toContain('Codex');
});

test('a missing agent or argument is an error with advice', async () => {
  const home = homeWith();
  expect(await reflect(home, 'install', 'copilot-cli')).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /Copilot CLI is not installed \(no .*\.copilot, no `copilot` on the PATH\)/,
    ) as string,
  });
  expect(await reflect(home, 'install', 'emacs')).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'Allowed choices are claude-code, codex, copilot-cli, gemini-cli, opencode',
    ) as string,
  });
  expect(await reflect(home, 'install')).toMatchObject({
    code: 2,
    err: expect.stringContaining('name an agent') as string,
  });
});

test('install-cli writes a command that starts this Reflect', async () => {
  const home = homeWith();
  const { out } = await reflect(home, 'install-cli', join(home, 'my bin', 'reflect'));
  expect(out).toContain(`Wrote ${join(home, 'my bin', 'reflect')}\nIts folder is not on your PATH`);
  expect(readFileSync(join(home, 'my bin', 'reflect'), 'utf8')).toMatch(
    /^#!\/bin\/sh\nexec .*reflect\.cjs "\$@"\n$/,
  );
});
