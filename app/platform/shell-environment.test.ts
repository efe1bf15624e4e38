import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isFromDesktop, personsEnvironment, shellArguments, withShell } from './shell-environment.ts';

test('only an app that a desktop started asks the shell, and Windows has none to ask', () => {
  const desktop = { SHELL: '/bin/zsh' };
  expect(isFromDesktop('darwin', desktop)).toBe(true);
  expect(isFromDesktop('linux', desktop)).toBe(true);
  expect(isFromDesktop('linux', { ...desktop, TERM: 'xterm' })).toBe(false);
  expect(isFromDesktop('win32', desktop)).toBe(false);
  expect(isFromDesktop('darwin', {})).toBe(false);
});

test('each shell is asked in its own words', () => {
  expect(shellArguments('/bin/zsh', 'x')).toEqual(['-i', '-l', '-c', 'x']);
  expect(shellArguments('/opt/homebrew/bin/fish', 'x')).toEqual(['-i', '-l', '-c', 'x']);
  expect(shellArguments('/bin/tcsh', 'x')).toEqual(['-ic', 'x']);
});

test("the shell's PATH counts; otherwise it only fills gaps, and its own variables stay out", () => {
  expect(
    withShell(
      { PATH: '/usr/bin', HOME: '/home/ada', REFLECT_HOME: '/mine' },
      { PATH: '/opt/bin:/usr/bin', REFLECT_HOME: '/other', CODEX_HOME: '/codex', SHLVL: '2', PWD: '/' },
    ),
  ).toEqual({ PATH: '/opt/bin:/usr/bin', HOME: '/home/ada', REFLECT_HOME: '/mine', CODEX_HOME: '/codex' });
});

function homeWith(profile: string): NodeJS.ProcessEnv {
  const home = mkdtempSync(path.join(tmpdir(), 'reflect-shell-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(path.join(home, '.profile'), profile);
  return { HOME: home, PATH: '/usr/bin:/bin', SHELL: '/bin/bash' };
}

test('a real shell reads its profile, whatever that prints', async () => {
  const env = homeWith('echo Welcome\nexport PATH="/opt/agents/bin:$PATH" CODEX_HOME=/codex\n');
  const { PATH = '', CODEX_HOME } = await personsEnvironment('linux', env);
  expect(PATH).toMatch(/^\/opt\/agents\/bin:/);
  expect(CODEX_HOME).toBe('/codex');
});

test('a shell that fails changes nothing', async () => {
  const env = homeWith('exit 1\n');
  expect(await personsEnvironment('linux', env)).toEqual(env);
  const none = { ...env, SHELL: '/no/such/shell' };
  expect(await personsEnvironment('linux', none)).toEqual(none);
});
