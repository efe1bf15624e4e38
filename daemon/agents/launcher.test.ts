import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../testing/temp-home.ts';
import { AGENTS } from './all-agents.ts';
import {
  argv,
  cmdLine,
  lastingNode,
  type Launcher,
  launcherProblem,
  powershellLine,
  shellLine,
  shimText,
  thisLauncher,
} from './launcher.ts';
import { writeShim } from './shim.ts';

/** A script at an awkward path that prints how it was started. */
function awkward(environment: Record<string, string> = {}): Launcher {
  const folder = join(tempFolder(), `it's "here" $HOME & there`);
  mkdirSync(folder, { recursive: true });
  const script = join(folder, 'reflect.cjs');
  writeFileSync(
    script,
    'console.log(JSON.stringify([process.argv.slice(2), process.env.ELECTRON_RUN_AS_NODE ?? null]))',
  );
  return {
    node: process.execPath,
    script,
    environment,
    platform: 'linux',
    shim: join(folder, 'bin', 'reflect'),
  };
}

const ELECTRON = { ELECTRON_RUN_AS_NODE: '1' };
const told = (program: string, args: string[]) =>
  JSON.parse(execFileSync(program, args, { encoding: 'utf8' })) as unknown;

test.each([
  [{}, null],
  [ELECTRON, '1'],
])('words, a shell line and the shim start the same script, with %j', (environment, expected) => {
  const launcher = awkward(environment);
  const [program, ...args] = argv(launcher, 'hook', 'Stop');
  expect(told(program, args)).toEqual([['hook', 'Stop'], expected]);
  expect(told('/bin/sh', ['-c', shellLine(launcher, 'hook', 'Stop')])).toEqual([['hook', 'Stop'], expected]);
  writeShim(launcher);
  expect(told(launcher.shim, ['search', 'a b', '$x'])).toEqual([['search', 'a b', '$x'], expected]);
});

test('a shim is written once, updated when it changes, and never replaces another program', () => {
  const launcher = awkward();
  expect(writeShim(launcher)).toBe(true);
  expect(writeShim(launcher)).toBe(false);
  expect(writeShim({ ...launcher, environment: ELECTRON })).toBe(true);
  writeFileSync(launcher.shim, '#!/bin/sh\necho another reflect\n');
  expect(() => writeShim(launcher)).toThrow('is another program');
});

const WINDOWS: Launcher = {
  node: 'C:\\Program Files\\nodejs\\node.exe',
  script: "C:\\Users\\O'Neil\\reflect\\reflect.cjs",
  environment: {},
  platform: 'win32',
  shim: "C:\\Users\\O'Neil\\.reflect\\bin\\reflect.cmd",
};

test('on Windows paths are quoted for each shell', () => {
  expect(argv(WINDOWS, 'hook', 'Stop')).toEqual([WINDOWS.node, WINDOWS.script, 'hook', 'Stop']);
  expect(powershellLine(WINDOWS, 'hook', 'Stop')).toBe(
    `& 'C:\\Program Files\\nodejs\\node.exe' 'C:\\Users\\O''Neil\\reflect\\reflect.cjs' hook Stop`,
  );
});

test('on Windows the shim sets the environment', () => {
  const packaged = { ...WINDOWS, node: 'C:\\Reflect\\Reflect.exe', environment: ELECTRON };
  expect(argv(packaged, 'hook', 'Stop')).toEqual(['cmd.exe', '/d', '/c', packaged.shim, 'hook', 'Stop']);
  expect(powershellLine(packaged, 'mcp')).toBe(`& 'C:\\Users\\O''Neil\\.reflect\\bin\\reflect.cmd' mcp`);
  expect(shimText(packaged)).toBe(
    `@echo off\r\nsetlocal\r\nset "ELECTRON_RUN_AS_NODE=1"\r\n"C:\\Reflect\\Reflect.exe" "${packaged.script}" %*\r\n`,
  );
});

test('on Windows a line for cmd.exe contains no quote, whatever the path', () => {
  const at = (shim: string) => cmdLine({ ...WINDOWS, shim }, 'hook', 'Stop');
  expect(at('C:\\Users\\ada\\.reflect\\bin\\reflect.cmd')).toBe(
    'C:\\Users\\ada\\.reflect\\bin\\reflect.cmd hook Stop',
  );
  expect(at('C:\\Users\\Ada (R&D) 100%\\reflect.cmd')).toBe(
    'C:\\Users\\Ada^ ^(R^&D^)^ 100^%\\reflect.cmd hook Stop',
  );
});

test('on Windows the shim escapes a percent sign in a path', () => {
  const percent = {
    ...WINDOWS,
    script: 'C:\\100%PATH%\\reflect.cjs',
    environment: { REFLECT_HOME: 'D:\\50% off' },
  };
  expect(shimText(percent)).toBe(
    '@echo off\r\nsetlocal\r\nset "REFLECT_HOME=D:\\50%% off"\r\n"C:\\Program Files\\nodejs\\node.exe" "C:\\100%%PATH%%\\reflect.cjs" %*\r\n',
  );
});

test('on Windows the entries of each agent name our script or the shim and are recognised as ours', () => {
  const context = {
    home: 'C:\\Users\\ada',
    environment: {},
    project: null,
    launcher: WINDOWS,
    withTools: false,
  };
  for (const agent of AGENTS.filter(({ id }) => id !== 'opencode')) {
    const [target] = agent.targets(context);
    const text = target?.edit.apply('') ?? '';
    expect(target?.edit.isIn(text), agent.id).toBe(true);
    expect(text, agent.id).toMatch(/reflect\.(?:cjs|cmd)/);
    expect(target?.edit.apply(text), agent.id).toBe(text);
  }
});

test('in a clone hooks run on the Node from node_modules, not on the Electron of the desktop app', () => {
  const clone = tempFolder();
  const [script, electron, node] = [
    join(clone, 'daemon', 'bin', 'reflect.cjs'),
    join(clone, 'node_modules', 'electron', 'dist', 'electron'),
    join(clone, 'node_modules', '.bin', 'node'),
  ];
  expect(lastingNode(electron, script, true)).toBe(electron);
  mkdirSync(join(clone, 'node_modules', '.bin'), { recursive: true });
  writeFileSync(node, '');
  expect(lastingNode(electron, script, true)).toBe(realpathSync(node));
  expect(lastingNode('/usr/bin/node', script, false)).toBe('/usr/bin/node');
});

test('Electron is used only if it is packaged with us', () => {
  const launcher = (node: string, script: string): Launcher => ({
    node,
    script,
    environment: ELECTRON,
    platform: 'linux',
    shim: '',
  });
  expect(
    launcherProblem(
      launcher('/opt/Reflect/reflect', '/opt/Reflect/resources/app.asar/daemon/bin/reflect.cjs'),
      {},
    ),
  ).toBeNull();
  expect(
    launcherProblem(
      launcher(
        '/Applications/Reflect.app/Contents/MacOS/Reflect',
        '/Applications/Reflect.app/Contents/Resources/app.asar/daemon/bin/reflect.cjs',
      ),
      {},
    ),
  ).toBeNull();
  expect(
    launcherProblem(
      launcher('/clone/node_modules/electron/dist/electron', '/clone/daemon/bin/reflect.cjs'),
      {},
    ),
  ).toContain('`reflect install <agent>`');
});

test('REFLECT_HOME is set only if the home is not the default one', () => {
  expect(thisLauncher(join(homedir(), '.reflect')).environment).toEqual({});
  expect(thisLauncher('/elsewhere').environment).toEqual({ REFLECT_HOME: '/elsewhere' });
});
