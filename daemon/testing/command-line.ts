import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { runCommandLine } from '../cli/run.ts';

export const CLI = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Of our environment, only what a process needs to run; the rest would let this machine into a test. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE, NO_COLOR: '1' };
}

interface Surroundings {
  cwd?: string;
  env?: Record<string, string>;
  /** Standard input; only a process of its own has one. */
  input?: string;
}

let turn: Promise<unknown> = Promise.resolve();

/** `reflect` for the daemon of this home, in this process, because starting one took most of the time. */
export function runCli(
  home: string,
  args: string[],
  { cwd = home, input, env = {} }: Surroundings = {},
): Promise<Ran> {
  const surroundings = { cwd, env: { ...bareEnvironment(), REFLECT_HOME: home, ...env } };
  if (input !== undefined) return runNode([CLI, ...args], { ...surroundings, input });
  const ran = turn.then(() => runHere(args, surroundings));
  turn = ran.catch(() => undefined);
  return ran;
}

/** Lends the command line our folder, environment and output, and takes them back. */
async function runHere(args: string[], { cwd, env }: Required<Omit<Surroundings, 'input'>>): Promise<Ran> {
  const ours = { cwd: process.cwd(), env: { ...process.env }, exitCode: process.exitCode };
  const written = { stdout: '', stderr: '' };
  const writes = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    }),
  );
  try {
    process.chdir(cwd);
    setEnvironment(env);
    process.exitCode = undefined;
    const code = await runCommandLine(args);
    return { code, out: written.stdout, err: written.stderr };
  } finally {
    for (const write of writes) write.mockRestore();
    process.exitCode = ours.exitCode;
    setEnvironment(ours.env);
    process.chdir(ours.cwd);
  }
}

function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

export function runNode(
  args: string[],
  { input, ...options }: { cwd: string; input?: string; env: Record<string, string> },
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, options, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, err }),
    );
    child.stdin?.on('error', () => undefined); // a process may end without reading it
    child.stdin?.end(input);
  });
}
