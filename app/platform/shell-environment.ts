import { execFile } from 'node:child_process';
import path from 'node:path';
import * as z from 'zod';

const TIMEOUT_MS = 5_000;
const MARK = '__reflect_environment__';
/** Of the shell that was asked, not of the person. */
const SHELLS_OWN = new Set(['SHLVL', 'PWD', 'OLDPWD', '_', 'TERM', 'ELECTRON_RUN_AS_NODE']);

const Variables = z.record(z.string(), z.string());

/** True for an app that a desktop started: it knows little of the PATH that a person's terminal has. */
export const isFromDesktop = (system: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean =>
  system !== 'win32' && !env['TERM'] && Boolean(env['SHELL']);

/** The words that make a shell read the files of a login and of a terminal, and then run a command. */
export const shellArguments = (shell: string, command: string): string[] =>
  /^t?csh$/.test(path.basename(shell)) ? ['-ic', command] : ['-i', '-l', '-c', command];

/** Adds what a shell knows: its PATH counts, everything else only where the app has nothing. */
export function withShell(env: NodeJS.ProcessEnv, shell: Record<string, string>): NodeJS.ProcessEnv {
  const known = Object.entries(shell).filter(([name]) => !SHELLS_OWN.has(name));
  return { ...Object.fromEntries(known), ...env, ...(shell['PATH'] ? { PATH: shell['PATH'] } : {}) };
}

/**
 * The environment that the person's terminal would have, so that agents, writers and commands are found. Asks the login
 * shell, which prints the variables as this program's Node sees them; a shell that fails or hangs changes nothing.
 */
export function personsEnvironment(
  system: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  program = process.execPath,
): Promise<NodeJS.ProcessEnv> {
  const shell = env['SHELL'];
  if (!isFromDesktop(system, env) || shell === undefined) return Promise.resolve(env);
  const command = `'${program}' -p '"${MARK}" + JSON.stringify(process.env) + "${MARK}"'`;
  return new Promise((resolve) => {
    const asked = execFile(
      shell,
      shellArguments(shell, command),
      // A profile may not start the app, a pager or a prompt of its own.
      {
        env: { ...env, ELECTRON_RUN_AS_NODE: '1', TERM: 'dumb' },
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
      },
      (_failure, output) => {
        const said = output.split(MARK)[1];
        const variables = Variables.safeParse(said === undefined ? undefined : JSON.parse(said));
        resolve(variables.success ? withShell(env, variables.data) : env);
      },
    );
    asked.stdin?.end();
  });
}
