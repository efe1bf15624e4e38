import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DaemonStatus } from '#contract/status.ts';
import { type Call, createClient } from '#contract/methods.ts';
import { DaemonConnection } from '../app/daemon-connection.ts';
import { DaemonProcess } from '../app/daemon-process.ts';
import { ROOT } from '../app/setup.mjs';
import { VERSION } from '../app/version.ts';

/** A machine of its own for one test: a Reflect home, the agents' folders, and a git repository to work in. */
export interface World {
  home: string;
  agentsHome: string;
  repository: string;
  env: NodeJS.ProcessEnv;
  /** The entry of the environment by which its processes are known. */
  mark: string;
  remove(): void;
}

export function createWorld(): World {
  const folder = mkdtempSync(path.join(tmpdir(), 'reflect-e2e-'));
  const at = (name: string) => path.join(folder, name);
  for (const name of ['home', 'agents', 'shop']) mkdirSync(at(name));
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', at('shop')]);
  // As from a terminal: a desktop's start would ask the shell of whoever runs the tests for its environment.
  const env = {
    ...process.env,
    TERM: 'dumb',
    REFLECT_HOME: at('home'),
    REFLECT_AGENTS_HOME: at('agents'),
    REFLECT_CAPTURE: 'true',
    // No story waits for minutes of silence.
    REFLECT_SETTLE_SECONDS: '1',
  };
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return {
    home: at('home'),
    agentsHome: at('agents'),
    repository: at('shop'),
    env,
    mark: `REFLECT_HOME=${at('home')}`,
    remove,
  };
}

/** A machine whose person has just come to it: an empty home and nothing of Reflect in the environment. */
export function createBareWorld(): World {
  const world = createWorld();
  const home = world.agentsHome;
  const display = process.env['DISPLAY'];
  const env = {
    HOME: home,
    PATH: [path.join(home, '.local', 'bin'), '/usr/bin', '/bin'].join(path.delimiter),
    ...(display ? { DISPLAY: display } : {}),
  };
  return { ...world, home: path.join(home, '.reflect'), env, mark: `HOME=${home}` };
}

export interface RunningDaemon {
  call: Call;
  /** As the app is connected to it. */
  line: DaemonConnection;
  /** Its process id, as the run file says now. */
  pid(): number;
  stop(): Promise<void>;
}

export async function startDaemon({ home, env }: World, flags: string[]): Promise<RunningDaemon> {
  const daemon = new DaemonProcess({
    home,
    version: VERSION,
    command: process.execPath,
    args: [path.join(ROOT, 'dist', 'daemon', 'main.js'), ...flags],
    env,
    errorLog: path.join(home, 'run', 'start.log'),
  });
  await daemon.ensure();
  const connection = new DaemonConnection(() => daemon.ensure());
  void connection.keepOpen((problem) => console.error(problem));
  return {
    call: createClient(connection.send, { strict: true }),
    line: connection,
    pid: () =>
      (JSON.parse(readFileSync(path.join(home, 'run', 'daemon.json'), 'utf8')) as { pid: number }).pid,
    async stop() {
      connection.close();
      await daemon.stop();
    },
  };
}

/** The processes that were started with the world's mark in their environment; Linux alone tells. */
export function processesOf({ mark }: World): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(mark);
    } catch {
      return false; // it ended while we looked, or is not ours to see
    }
  });
}

/** After a test that failed half-way: what it started must not outlive it. */
export function endProcessesOf(world: World): void {
  for (const pid of processesOf(world)) process.kill(Number(pid), 'SIGKILL');
}

export interface CommandOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** `reflect …` as a person or an agent runs it. */
export function reflect({ env, repository }: World, args: string[], stdin = ''): Promise<CommandOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(ROOT, 'daemon', 'bin', 'reflect.cjs'), ...args], {
      env,
      cwd: repository,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => undefined); // a command may end without reading
    child.stdin.end(stdin);
  });
}

/** The text injected when another session of the agent starts. */
export async function sessionStart(world: World): Promise<string> {
  const payload = {
    session_id: '0f8a4c1e-0000-4000-8000-000000000001',
    transcript_path: `${world.agentsHome}/new.jsonl`,
    cwd: world.repository,
    hook_event_name: 'SessionStart',
    source: 'startup',
  };
  const { code, stdout } = await reflect(world, ['hook', 'SessionStart'], JSON.stringify(payload));
  if (code !== 0) throw new Error(`the hook ended with ${code}`);
  if (stdout.trim() === '') return '';
  const { hookSpecificOutput } = JSON.parse(stdout) as {
    hookSpecificOutput: { additionalContext: string };
  };
  return hookSpecificOutput.additionalContext;
}

/** A Claude Code session as it grows on disk: each turn is a record of the real format, appended. */
export class TranscriptWriter {
  readonly session = randomUUID();
  readonly file: string;
  readonly #cwd: string;
  /** How long ago it is all said, in milliseconds. */
  age = 0;
  #parent: string | null = null;

  constructor({ agentsHome, repository }: World) {
    this.#cwd = repository;
    const slug = repository.replace(/[^A-Za-z0-9-]/g, '-');
    const folder = path.join(agentsHome, '.claude', 'projects', slug);
    mkdirSync(folder, { recursive: true });
    this.file = path.join(folder, `${this.session}.jsonl`);
  }

  human(text: string): void {
    this.#append('user', { role: 'user', content: text });
  }

  agent(...content: object[]): void {
    this.#append('assistant', {
      id: `msg_${randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content,
      stop_reason: null,
      usage: { input_tokens: 10, output_tokens: 10 },
    });
  }

  toolResult(id: string, output: string): void {
    this.#append('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: output, is_error: false }],
    });
  }

  #append(type: 'user' | 'assistant', message: object): void {
    const uuid = randomUUID();
    const record = {
      parentUuid: this.#parent,
      isSidechain: false,
      userType: 'external',
      cwd: this.#cwd,
      sessionId: this.session,
      version: '2.1.0',
      gitBranch: 'main',
      type,
      message,
      uuid,
      timestamp: new Date(Date.now() - this.age).toISOString(),
    };
    this.#parent = uuid;
    appendFileSync(this.file, `${JSON.stringify(record)}\n`);
  }
}

const CORRECTION =
  "No, don't use npm here. Always use pnpm in this repository: npm writes a package-lock.json that breaks our CI.";

/** A session as people really have them: the agent errs, the human corrects, the agent complies. */
export function beCorrected(transcript: TranscriptWriter): void {
  transcript.human('Please add zod as a dependency of the shop.');
  transcript.agent({ type: 'text', text: 'I will add zod with npm.' });
  transcript.agent({ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'npm install zod' } });
  transcript.toolResult('toolu_1', 'added 1 package, and audited 2 packages in 1s');
  transcript.agent({ type: 'text', text: 'zod is installed with npm install zod.' });
  transcript.human(CORRECTION);
  transcript.agent({
    type: 'text',
    text: 'You are right. I remove package-lock.json and run pnpm add zod instead.',
  });
  transcript.agent({
    type: 'tool_use',
    id: 'toolu_2',
    name: 'Bash',
    input: { command: 'rm package-lock.json && pnpm add zod' },
  });
  transcript.toolResult('toolu_2', 'dependencies:\n+ zod 4.6.7\nDone in 1.2s');
  transcript.human('Thanks. Now write a schema for the cart.');
  transcript.agent({ type: 'text', text: 'Here is the schema.' });
}

/** True when learnings are compared by meaning. */
export const hasEmbedder = ({ models }: Pick<DaemonStatus, 'models'>): boolean =>
  models.some(({ role, state }) => role === 'embedder' && (state === 'ready' || state === 'loaded'));
