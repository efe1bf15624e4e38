import { type ChildProcess, spawn } from 'node:child_process';
import { spawnable } from './spawnable.ts';

interface CommandRun {
  argv: readonly string[];
  cwd: string;
  environment: NodeJS.ProcessEnv;
  input: string;
  signal: AbortSignal;
}

interface CommandEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

const LARGEST_OUTPUT = 8 * 1024 * 1024; // bytes
const STDERR_KEPT = 4_000; // characters, the last ones

/** The program and arguments by which the system's shell runs a command that a person configured. */
export const shell = (command: string): string[] =>
  process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', command] : ['/bin/sh', '-c', command];

/** Runs a program without a shell. On abort, it and everything it started are killed. */
export function runCommand({ argv, cwd, environment, input, signal }: CommandRun): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const [program = ''] = argv;
    const { file, args, windowsVerbatimArguments } = spawnable(argv, environment);
    // Detached makes it the leader of its own process group, which can be killed as a whole.
    const child = spawn(file, args, {
      cwd,
      env: environment,
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = '';
    const giveUp = (reason: unknown) => {
      killTree(child);
      child.stdout.destroy(); // a grandchild that left the group may hold them open
      child.stderr.destroy();
      reject(reason instanceof Error ? reason : new Error(String(reason)));
    };
    const onAbort = () => giveUp(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LARGEST_OUTPUT) giveUp(new Error(`${program} wrote more than ${LARGEST_OUTPUT} bytes`));
      else chunks.push(chunk);
    });
    child.stderr.on(
      'data',
      (chunk: Buffer) => (stderr = `${stderr}${chunk.toString('utf8')}`.slice(-STDERR_KEPT)),
    );
    child.stdin.on('error', () => {}); // it may end without reading what it was asked; its exit tells
    child.stdin.end(input);
    child.on('error', (error) =>
      reject(
        new Error(`${program} cannot be started: ${(error as NodeJS.ErrnoException).code ?? error.message}`),
      ),
    );
    child.on('close', (code) => {
      signal.removeEventListener('abort', onAbort);
      resolve({ code, stdout: Buffer.concat(chunks).toString('utf8'), stderr });
    });
  });
}

function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32')
      spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // gone already
  }
}
