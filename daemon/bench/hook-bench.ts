import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { DIST, ROOT, sleep, startBuilt } from './daemon-process.ts';
import { makeQuestions } from './corpus.ts';
import type { Homes } from './home.ts';
import { watchContention } from './machine.ts';
import { median } from './statistics.ts';
import { benchTrouble, type TroubleFigures } from './trouble-bench.ts';
import { BRANCHES, PROJECTS } from './vocabulary.ts';

const RUNS = 41;
const RUNS_WITHOUT_DAEMON = 9;

const NODE_ALONE = ['-e', '0'];
const HOOK = [join(DIST, 'hook.cjs'), 'SessionStart'];
const COMMAND = [join(ROOT, 'daemon', 'bin', 'reflect.cjs'), 'hook', 'SessionStart'];

/** The other events an agent waits for, with payloads that never repeat, so that no cache answers. */
const QUESTIONS = makeQuestions(RUNS + 1, 7);
const EVENTS: Readonly<Record<string, (round: number) => object>> = {
  UserPromptSubmit: (round) => ({ prompt: QUESTIONS[round] }),
  PreToolUse: (round) => ({ tool_name: 'Bash', tool_input: { command: `make build-${round} && make test` } }),
  PostToolUse: (round) => ({
    tool_name: 'Bash',
    tool_input: { command: `make build-${round}` },
    tool_response: { stdout: 'ok\n'.repeat(500) },
  }),
  Stop: () => ({ last_assistant_message: 'Done.' }),
};

export interface HookFigures {
  size: number;
  nodeMs: number;
  hookMs: number;
  commandMs: number;
  hookRatio: number;
  commandRatio: number;
  /** The other events: `hook.cjs` compared with plain Node in the same rounds. */
  events: { event: string; ms: number; ratio: number }[];
  /** `status` of the same daemon, over an open connection. */
  statusMs: number;
  trouble: TroubleFigures;
  /** Without a daemon: one that never ran, and one that was killed and left its file. */
  withoutDaemon: { neverMs: number; killedMs: number; exitCodes: number[] };
  contention: number;
}

/** Time an agent waits at session start and at each step, compared with starting Node alone. */
export async function benchHook(
  homes: Homes,
  environment: NodeJS.ProcessEnv,
  size: number,
): Promise<HookFigures> {
  const paths = await homes.copy(size, `hook-${size}`);
  const repository = makeRepository(homes.folder(`repository-${size}`));
  const payload = { cwd: repository, session_id: 'bench', source: 'startup' };
  const run = (command: string[], home: string, more: object = {}) =>
    runOnce(command, JSON.stringify({ ...payload, ...more }), { ...environment, REFLECT_HOME: home });
  const daemon = await startBuilt(paths, { ...environment, REFLECT_TOOL_WARNINGS: 'true' });
  const others = watchContention([daemon.pid]);
  const times = { node: [] as number[], hook: [] as number[], command: [] as number[] };
  const byEvent = Object.keys(EVENTS).map((event) => ({ event, ms: [] as number[] }));
  let [contention, statusMs] = [0, 0];
  try {
    await daemon.search('warm up');
    await sleep(500);
    const { output } = run(HOOK, paths.home);
    if (!output.includes('Learned earlier'))
      throw new Error(`the hook injected no learnings: ${output.slice(0, 200) || 'no output'}`);
    for (let round = 0; round < RUNS; round++) {
      times.node.push(run(NODE_ALONE, paths.home).ms);
      times.hook.push(run(HOOK, paths.home).ms);
      times.command.push(run(COMMAND, paths.home).ms);
      for (const { event, ms } of byEvent)
        ms.push(run([join(DIST, 'hook.cjs'), event], paths.home, EVENTS[event]?.(round)).ms);
    }
    statusMs = median(await daemon.statusTimes(RUNS));
    contention = others();
  } finally {
    await daemon.stop();
  }
  const [nodeMs, hookMs, commandMs] = [median(times.node), median(times.hook), median(times.command)];
  return {
    size,
    nodeMs,
    hookMs,
    commandMs,
    hookRatio: hookMs / nodeMs,
    commandRatio: commandMs / nodeMs,
    events: byEvent.map(({ event, ms }) => ({ event, ms: median(ms), ratio: median(ms) / nodeMs })),
    statusMs,
    trouble: await benchTrouble(paths, environment, payload),
    withoutDaemon: benchWithoutDaemon(homes, run),
    contention,
  };
}

function benchWithoutDaemon(
  homes: Homes,
  run: (command: string[], home: string) => Run,
): HookFigures['withoutDaemon'] {
  const never = homes.folder('never');
  const killed = pathsOf(homes.folder('killed'));
  leaveRunFile(killed);
  const runs = { never: [] as Run[], killed: [] as Run[] };
  for (let i = 0; i < RUNS_WITHOUT_DAEMON; i++) {
    runs.never.push(run(COMMAND, never));
    runs.killed.push(run(COMMAND, killed.home));
  }
  const ms = (all: Run[]) => median(all.map((one) => one.ms));
  return {
    neverMs: ms(runs.never),
    killedMs: ms(runs.killed),
    exitCodes: [...new Set([...runs.never, ...runs.killed].map(({ code }) => code))],
  };
}

interface Run {
  ms: number;
  code: number;
  output: string;
}

function runOnce(command: string[], input: string, env: NodeJS.ProcessEnv): Run {
  const start = performance.now();
  const { status, stdout, error } = spawnSync(process.execPath, command, { input, env, encoding: 'utf8' });
  // A process that does not read its input, like `node -e 0`, may exit before all of it is written.
  if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  return { ms: performance.now() - start, code: status ?? -1, output: stdout };
}

/** A clone of one project of the corpus, on one of its branches. */
export function makeRepository(folder: string): string {
  const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words], { stdio: 'ignore' });
  git('init');
  git('remote', 'add', 'origin', `https://${PROJECTS[0]}.git`);
  git('symbolic-ref', 'HEAD', `refs/heads/${BRANCHES[0]}`);
  return folder;
}

function leaveRunFile({ runFile, socket }: Paths): void {
  mkdirSync(dirname(runFile), { recursive: true });
  writeFileSync(
    runFile,
    JSON.stringify({ pid: 1, version: '0', port: 1, socket, token: '0'.repeat(64), startedAt: 0 }),
  );
}
