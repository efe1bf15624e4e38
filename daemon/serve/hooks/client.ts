// Runs inside an agent, at every step of it: it must be quick and may never fail, so it loads nothing it does not need and
// ends in silence and success whatever happens. What to say is decided by the daemon.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';

const SESSION_START = 'SessionStart';
const DEADLINE = { [SESSION_START]: 1_500 } as Record<string, number>; // ms
const OTHERWISE = 300; // ms
const LARGEST_INPUT = 1024 * 1024; // bytes; a hook that carries a whole file needs no answer about it

export function runHook(event: string, agent: string): void {
  // The kill switch. Writers set it for the agents they run, which must neither be told nor asked anything.
  if (process.env.REFLECT_DISABLED === '1') return;
  setTimeout(() => process.exit(0), DEADLINE[event] ?? OTHERWISE);
  process.on('uncaughtException', () => process.exit(0));
  const run = readRun(process.env.REFLECT_HOME || join(homedir(), '.reflect'));
  const payload = readInput();
  const socket = connect(run.socket);
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('error', () => process.exit(0));
  socket.on('close', () => process.exit(0));
  socket.on('data', (chunk: string) => {
    answer += chunk;
    const end = answer.indexOf('\n');
    if (end < 0) return;
    const output = (JSON.parse(answer.slice(0, end)) as { result?: { output?: string } }).result?.output ?? '';
    process.stdout.write(output, () => process.exit(0));
  });
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'hook.run', params: { agent, event, payload }, token: run.token })}\n`);
}

function readRun(home: string): { socket: string; token: string } {
  return JSON.parse(readFileSync(join(home, 'run', 'daemon.json'), 'utf8')) as { socket: string; token: string };
}

function readInput(): object {
  if (process.stdin.isTTY) return {};
  const input = readFileSync(0, 'utf8');
  return input.length > LARGEST_INPUT || input.trim() === '' ? {} : (JSON.parse(input) as object);
}

runHook(process.argv[2] ?? '', process.argv[3] ?? 'claude-code');
