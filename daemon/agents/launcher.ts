import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reflectHome as usualHome } from '../platform/paths.ts';

/** How this Reflect is started by somebody else: a Node, our script, and what has to be in their environment. */
export interface Launcher {
  node: string;
  script: string;
  environment: Record<string, string>;
  platform: NodeJS.Platform;
  /** A small script that does all of this, for whoever can only be given a name. */
  shim: string;
}

const BUILT = !import.meta.url.endsWith('.ts');

/** The same from the command line and from the daemon, whose home is always named in its environment. */
export function thisLauncher(reflectHome: string): Launcher {
  const script = fileURLToPath(
    new URL(BUILT ? '../../daemon/bin/reflect.cjs' : '../bin/reflect.cjs', import.meta.url),
  );
  const node = lastingNode(process.execPath, script, process.versions.electron !== undefined);
  const environment = {
    ...(process.versions.electron && node === process.execPath ? { ELECTRON_RUN_AS_NODE: '1' } : {}), // Electron is a Node only when it is told to be
    ...(reflectHome === usualHome({}) ? {} : { REFLECT_HOME: reflectHome }), // an agent is started elsewhere, where nobody has set it
  };
  return {
    node,
    script,
    environment,
    platform: process.platform,
    shim: shimFile(reflectHome, process.platform),
  };
}

/** In a clone the desktop runs on an Electron that was fetched for it; the command line there, and so every hook, on the Node that came with the packages. */
export function lastingNode(running: string, script: string, isElectron: boolean): string {
  if (!isElectron || isPackedWith(running, script)) return running;
  const carried = join(dirname(script), '..', '..', 'node_modules', '.bin', 'node');
  return existsSync(carried) ? realpathSync(carried) : running;
}

const isPackedWith = (program: string, script: string): boolean =>
  script.startsWith(dirname(dirname(program)) + sep);

const shimFile = (reflectHome: string, platform: NodeJS.Platform): string =>
  join(reflectHome, 'bin', platform === 'win32' ? 'reflect.cmd' : 'reflect');

/** Windows has no `env` that sets a variable for one command, and not every agent there can start a quoted path. */
export const needsShim = ({ platform }: Launcher): boolean => platform === 'win32';

const setByShim = ({ environment, platform }: Launcher): boolean =>
  hasAny(environment) && platform === 'win32';

/** Why agents could not start us later; null when they can. */
export function launcherProblem(
  { node, script, environment }: Launcher,
  { APPDIR: mounted }: NodeJS.ProcessEnv,
): string | null {
  if (environment.ELECTRON_RUN_AS_NODE && !isPackedWith(node, script))
    return 'this Reflect runs on an Electron that is not packed with it, and agents need a Node; run `reflect install <agent>` in a terminal';
  if (!mounted || !node.startsWith(mounted)) return null; // a terminal inside somebody else's AppImage has the variable too
  return 'an AppImage is mounted at another place each time it starts, so agents could not find it; use the .deb or .tar.gz package';
}

/** The words of a command that needs no shell. */
export function argv(launcher: Launcher, ...rest: string[]): [string, ...string[]] {
  const { node, script, environment, shim } = launcher;
  if (setByShim(launcher)) return ['cmd.exe', '/d', '/c', shim, ...rest];
  return hasAny(environment)
    ? ['/usr/bin/env', ...assignments(environment), node, script, ...rest]
    : [node, script, ...rest];
}

/** For configurations that leave an empty environment out. */
export const environmentAs = <K extends string>(key: K, { environment }: Launcher) =>
  hasAny(environment) ? ({ [key]: environment } as Record<K, Record<string, string>>) : {};

const hasAny = (environment: Record<string, string>): boolean => Object.keys(environment).length > 0;
const assignments = (environment: Record<string, string>): string[] =>
  Object.entries(environment).map(([name, value]) => `${name}=${value}`);

/** One line for a POSIX shell. */
export const shellLine = (launcher: Launcher, ...rest: string[]): string =>
  argv(launcher, ...rest)
    .map(shellWord)
    .join(' ');

/**
 * One line for cmd.exe, without a quote: Codex hands the line over as one argument, in which every quote of ours would arrive as `\"`
 * (codex-rs/hooks/src/engine/command_runner.rs). A path can do without them only at the beginning, so it is the shim's.
 */
export const cmdLine = ({ shim }: Launcher, ...rest: string[]): string =>
  [shim.replaceAll(/[\s()&|<>^%!,;=]/g, '^$&'), ...rest].join(' ');

export const powershellLine = (launcher: Launcher, ...rest: string[]): string =>
  ['&', ...program(launcher).map((path) => `'${path.replaceAll("'", "''")}'`), ...rest].join(' ');

const program = (launcher: Launcher): string[] =>
  setByShim(launcher) ? [launcher.shim] : [launcher.node, launcher.script];

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** The text of the shim: everything it is given goes on to our script. */
export function shimText(launcher: Launcher): string {
  const { node, script, environment, platform } = launcher;
  if (platform === 'win32') {
    const literally = (text: string) => text.replaceAll('%', '%%'); // in a script of cmd.exe a single one begins a variable
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
