import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** Starts a script of this folder as a process of its own, so that it can really be killed. */
export function startScript(
  name: string,
  args: string[],
): ChildProcess & { stdout: NonNullable<ChildProcess['stdout']> } {
  const child = spawn(process.execPath, [fileURLToPath(new URL(name, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs it to its end, however that comes; the signal names what killed it. */
export async function runScript(
  name: string,
  args: string[],
): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const [code, signal] = (await once(startScript(name, args), 'exit')) as [
    number | null,
    NodeJS.Signals | null,
  ];
  return { code, signal };
}
