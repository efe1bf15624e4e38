import { join, posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { carriedNode } from '../bin/carried-node.cjs';
import { findProgram } from '../platform/find-program.ts';
import { reflectHome as usualHome } from '../platform/paths.ts';

/** Everything another program needs to start this Reflect: a Node, our script and environment variables. */
export interface Launcher {
  node: string;
  script: string;
  environment: Record<string, string>;
  platform: NodeJS.Platform;
  /** A small script that starts Reflect, for programs that accept only a single path. */
  shim: string;
}

const BUILT = !import.meta.url.endsWith('.ts');

/** Gives the same result on the command line and in the daemon, which always has REFLECT_HOME set. */
export function thisLauncher(reflectHome: string): Launcher {
  const script = fileURLToPath(
    new URL(BUILT ? '../../daemon/bin/reflect.cjs' : '../bin/reflect.cjs', import.meta.url),
  );
  const node = process.versions.electron ? nodeBeside(process.execPath, script) : process.execPath;
  const environment = {
    ...(process.versions.electron && node === process.execPath ? { ELECTRON_RUN_AS_NODE: '1' } : {}), // makes Electron run as Node
    ...(reflectHome === usualHome({}) ? {} : { REFLECT_HOME: reflectHome }), // the agent's own environment does not have it
  };
  return {
    node,
    script,
    environment,
    platform: process.platform,
    shim: shimFile(reflectHome, process.platform),
  };
}

/**
 * Prefers a Node over an Electron that is not packaged with us: in a clone, hooks must run on the same Node as the
 * command line. That is the one `npm ci` brought, else the one on the PATH.
 */
export function nodeBeside(electron: string, script: string, environment = process.env): string {
  if (isPackedWith(electron, script, process.platform)) return electron;
  const clone = join(script, '..', '..', '..');
  return carriedNode(clone) ?? findProgram('node', environment) ?? electron;
}

/** A package has its script in the folder of resources that belongs to its program. */
function isPackedWith(program: string, script: string, system: NodeJS.Platform): boolean {
  const path = system === 'win32' ? win32 : posix;
  const folder = path.dirname(program);
  const resources =
    system === 'darwin' ? path.join(path.dirname(folder), 'Resources') : path.join(folder, 'resources');
  return script.startsWith(resources + path.sep);
}

const shimFile = (reflectHome: string, platform: NodeJS.Platform): string =>
  join(reflectHome, 'bin', platform === 'win32' ? 'reflect.cmd' : 'reflect');

/** Windows has no `env` to set a variable for one command, and some agents there cannot start a quoted path. */
export const needsShim = ({ platform }: Launcher): boolean => platform === 'win32';

const setByShim = ({ environment, platform }: Launcher): boolean =>
  hasAny(environment) && platform === 'win32';

/** The reason why agents could not start us later; null when they can. */
export function launcherProblem(
  { node, script, environment, platform }: Launcher,
  { APPDIR: mounted }: NodeJS.ProcessEnv,
): string | null {
  // macOS runs an app that was opened where it was downloaded from a copy, at a path that is gone after it ends.
  if (platform === 'darwin' && node.includes('/AppTranslocation/'))
    return 'macOS runs this app from a temporary copy, which agents could not find later; move Reflect to the Applications folder and open it there';
  if (environment.ELECTRON_RUN_AS_NODE && !isPackedWith(node, script, platform))
    return 'this Reflect runs on an Electron that is not packaged with it, and agents need Node; run `reflect install <agent>` in a terminal';
  if (!mounted || !node.startsWith(mounted)) return null; // a terminal inside another AppImage has the variable too
  return 'an AppImage is mounted at a new path each time it starts, so agents could not find it; use the .deb or .tar.gz package';
}

/** The words of a command that needs no shell. */
export function argv(launcher: Launcher, ...rest: string[]): [string, ...string[]] {
  const { node, script, environment, shim } = launcher;
  if (setByShim(launcher)) return ['cmd.exe', '/d', '/c', shim, ...rest];
  return hasAny(environment)
    ? ['/usr/bin/env', ...assignments(environment), node, script, ...rest]
    : [node, script, ...rest];
}

/** How an agent starts our MCP server; an empty environment is left out. */
export const mcpServer = ({ node, script, environment }: Launcher) => ({
  command: node,
  args: [script, 'mcp'],
  ...(hasAny(environment) ? { env: environment } : {}),
});

const hasAny = (environment: Record<string, string>): boolean => Object.keys(environment).length > 0;
const assignments = (environment: Record<string, string>): string[] =>
  Object.entries(environment).map(([name, value]) => `${name}=${value}`);

/** One line for a POSIX shell. */
export const shellLine = (launcher: Launcher, ...rest: string[]): string =>
  argv(launcher, ...rest)
    .map(shellWord)
    .join(' ');

/**
 * One line for cmd.exe without quotes: Codex passes the line as one argument, in which every quote would arrive as `\"`
 * (codex-rs/hooks/src/engine/command_runner.rs). Only a path at the start of the line works without quotes, so the line
 * starts the shim.
 */
export const cmdLine = ({ shim }: Launcher, ...rest: string[]): string =>
  [shim.replaceAll(/[\s()&|<>^%!,;=]/g, '^$&'), ...rest].join(' ');

export const powershellLine = (launcher: Launcher, ...rest: string[]): string =>
  ['&', ...program(launcher).map((path) => `'${path.replaceAll("'", "''")}'`), ...rest].join(' ');

const program = (launcher: Launcher): string[] =>
  setByShim(launcher) ? [launcher.shim] : [launcher.node, launcher.script];

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** The shim passes all its arguments on to our script. */
export function shimText(launcher: Launcher): string {
  const { node, script, environment, platform } = launcher;
  if (platform === 'win32') {
    const literally = (text: string) => text.replaceAll('%', '%%'); // in a cmd.exe script a single % starts a variable
    return [
      '@echo off',
      'setlocal',
      ...assignments(environment).map((each) => `set "${literally(each)}"`),
      `"${literally(node)}" "${literally(script)}" %*`,
      '',
    ].join('\r\n');
  }
  return `#!/bin/sh\nexec ${shellLine(launcher)} "$@"\n`;
}
