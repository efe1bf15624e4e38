import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

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

/** `reflect` as a process of its own, for the daemon of this home. */
export function runCli(
  home: string,
  args: string[],
  { cwd = home, input = '', env = {} }: { cwd?: string; input?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  return runNode([CLI, ...args], { cwd, input, env: { ...bareEnvironment(), REFLECT_HOME: home, ...env } });
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
