const TIMEOUT_MS = 8_000;

/** The part of a child process that stopping one needs. */
interface Stoppable {
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
  once(event: 'exit', listener: () => void): unknown;
}

/**
 * Asks a child to end and resolves when it has; one that does not is killed. Windows has no signal to ask with, a kill
 * there ends a process at once (https://nodejs.org/api/process.html#signal-events), so `ask` sends a request; it
 * returns false when nobody listens yet.
 */
export async function stopProcess(
  child: Stoppable,
  system: NodeJS.Platform,
  ask: () => Promise<boolean>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  if (system !== 'win32') child.kill('SIGTERM');
  else if (!(await ask())) child.kill('SIGKILL');
  await exited;
  clearTimeout(timer);
}
