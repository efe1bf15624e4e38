// Runs inside an agent at every step, so it must be fast and must never fail: it loads only what it needs and exits
// with 0 and no output whatever happens. The daemon decides what to inject.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runFolder } from '#contract/run-folder.ts';
import { isInstalled } from './installed.ts';
import { wakeDaemon } from './wake-daemon.ts';

const FROM_PLUGIN = '--plugin';
const START_MS = 1_500;
const OTHER_MS = 300;
const GIT_MS = 20_000; // nobody waits for a git hook: it runs in the background
const LARGEST_INPUT = 8 * 1024 * 1024; // characters; a hook with more input gets no answer
const LONGEST_TEXT = 20_000; // characters of any one text; the transcript holds the full output of a tool anyway

interface Run {
  socket: string;
  token: string;
  hooks?: { startMs: number; otherMs: number };
}

function runHook(event: string, agent: string, argument: string | undefined): void {
  const asked_at = Date.now();
  // The kill switch. Writers set it for the agents they run: those must get no context and must not be captured.
  if (process.env.REFLECT_DISABLED === '1') return;
  process.on('uncaughtException', leave);
  const home = process.env.REFLECT_HOME || join(homedir(), '.reflect');
  // A plugin's hook leaves it to the hooks of `reflect install`, if those are there: the agent would be told everything
  // twice.
  const isPlugins = argument === FROM_PLUGIN;
  if (isPlugins && isInstalled(home, agent, process.cwd())) return;
  const run = readRun(home);
  const withinMs = deadline(event, agent, run?.hooks);
  setTimeout(leave, withinMs);
  if (!run) {
    wake(home);
    return;
  }

  const socket = connect(run.socket);
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('error', () => wake(home));
  socket.on('close', leave);
  socket.on('data', (chunk: string) => {
    answer += chunk;
    const end = answer.indexOf('\n');
    if (end < 0) return;
    const { result } = JSON.parse(answer.slice(0, end)) as { result?: { output?: unknown } };
    process.stdout.write(typeof result?.output === 'string' ? result.output : '', leave);
  });
  const read = agent === 'git' ? readGitInput : readInput;
  read(isPlugins ? undefined : argument, (payload) => {
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'hook.run',
      params: { agent, event, payload: { ...payload, asked_at }, withinMs },
      token: run.token,
    };
    socket.write(
      `${JSON.stringify(request, (_, value: unknown) => (typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value))}\n`,
    );
  });
}

const leave = () => process.exit(0);

/** Starts the daemon for the next hook; this one exits without an answer. */
function wake(home: string): void {
  wakeDaemon(home, process.env, Date.now());
  leave();
}

function deadline(event: string, agent: string, hooks: Run['hooks']): number {
  const [name, usual] = /^sessionstart$/i.test(event)
    ? (['REFLECT_HOOK_START_MS', hooks?.startMs ?? START_MS] as const)
    : (['REFLECT_HOOK_MS', agent === 'git' ? GIT_MS : (hooks?.otherMs ?? OTHER_MS)] as const);
  const override = Number(process.env[name]);
  return override > 0 ? override : usual;
}

function readRun(home: string): Run | null {
  try {
    return JSON.parse(readFileSync(join(runFolder(home), 'daemon.json'), 'utf8')) as Run; // written by our own daemon, for us
  } catch {
    return null;
  }
}

/** Git runs hooks in the repository and writes lines, not JSON. An agent that commits says so in its environment. */
function readGitInput(_argument: string | undefined, then: (payload: object) => void): void {
  let message = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk: string) => (message += chunk));
  process.stdin.on('end', () =>
    then({ cwd: process.cwd(), message, source: process.env.CLAUDECODE ? 'agent' : '' }),
  );
}

/**
 * Codex passes the JSON to its `notify` program as an argument; other agents write it to standard input, and some never
 * close it.
 */
function readInput(argument: string | undefined, then: (payload: object) => void): void {
  if (argument !== undefined) {
    then(JSON.parse(argument) as object);
    return;
  }
  if (process.stdin.isTTY) {
    then({});
    return;
  }
  let input = '';
  let read = false;
  const finish = (payload: object | null) => {
    if (read || !payload) return;
    read = true;
    then(payload);
  };
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk: string) => {
    input += chunk;
    if (input.length > LARGEST_INPUT) leave();
    if (/\}\s*$/.test(chunk)) finish(parsed(input));
  });
  process.stdin.on('end', () => finish(input.trim() === '' ? {} : (JSON.parse(input) as object)));
}

function parsed(json: string): object | null {
  try {
    return JSON.parse(json) as object;
  } catch {
    return null; // incomplete so far
  }
}

runHook(process.argv[2] ?? '', process.argv[3] ?? 'claude-code', process.argv[4]);
