import { spawn } from 'node:child_process';
import type { HookCommand } from './agent.ts';

export interface Ran {
  /** Null when it was killed for taking too long, or did not start. */
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

const SHELLS = {
  sh: ['/bin/sh', '-c'],
  cmd: ['cmd.exe', '/c'],
  powershell: ['powershell.exe', '-NoProfile', '-Command'],
} as const;

const wordsOf = (command: HookCommand): string[] =>
  'words' in command ? command.words : [...SHELLS[command.shell], command.line];

/** Runs a hook as its agent would, with the agent's payload. */
export function runHook(command: HookCommand, payload: object, timeoutMs: number): Promise<Ran> {
  return run(wordsOf(command), JSON.stringify(payload), timeoutMs);
}

/** Runs a program until it exits, or kills it at the timeout. */
export function run(words: string[], input: string, timeoutMs: number): Promise<Ran> {
  const [program = '', ...args] = words;
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on('error', () => undefined); // it may exit without reading its input
    const done = (code: number | null, why = stderr) =>
      resolve({ code, stdout, stderr: why, ms: performance.now() - began });
    child.on('error', ({ message }) => done(null, message));
    child.on('close', (code) => done(code));
    child.stdin.end(input);
  });
}

interface McpAnswer {
  name: string;
  version: string;
  tools: string[];
}

const HANDSHAKE = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'reflect-doctor', version: '1' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
];

/** Starts an MCP server, performs the handshake, lists its tools and lets it exit. */
export function askMcp(
  words: string[],
  environment: Record<string, string>,
  timeoutMs: number,
): Promise<McpAnswer> {
  const [program = '', ...args] = words;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: { ...process.env, ...environment },
    });
    let [pending, stderr] = ['', ''];
    const answers = new Map<unknown, McpResult>();
    child.on('error', reject);
    child.on('close', () =>
      reject(new Error(stderr.trim().split('\n').at(-1) || 'it exited without an answer')),
    );
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on('error', () => undefined); // the close event reports it
    child.stdout.on('data', (chunk: Buffer) => {
      const lines = (pending + chunk.toString()).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) remember(answers, line);
      const [hello, list] = [answers.get(1), answers.get(2)];
      if (!hello || !list) return;
      child.stdin.end(); // a stdio server exits when its input ends
      resolve({
        name: hello.serverInfo?.name ?? '',
        version: hello.serverInfo?.version ?? '',
        tools: (list.tools ?? []).map(({ name }) => name),
      });
    });
    child.stdin.write(HANDSHAKE.map((message) => `${JSON.stringify(message)}\n`).join(''));
  });
}

interface McpResult {
  serverInfo?: { name: string; version: string };
  tools?: { name: string }[];
}

function remember(answers: Map<unknown, McpResult>, line: string): void {
  try {
    const { id, result } = JSON.parse(line) as { id?: unknown; result?: McpResult };
    if (result) answers.set(id, result);
  } catch {
    // A line that is not JSON is not an answer.
  }
}
