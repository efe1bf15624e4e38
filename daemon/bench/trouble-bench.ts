import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Paths } from '../platform/paths.ts';
import { DIST, startBuilt } from './daemon-process.ts';
import { median } from './statistics.ts';

const RUNS = 9;
const FIRED = 200;
const AT_ONCE = 4;

/** What hooks do at a daemon that hangs, and at one that is killed and started again while they fire. */
export interface TroubleFigures {
  hungMs: number;
  hungStartMs: number;
  fired: number;
  answered: number;
  longestMs: number;
  exitCodes: number[];
  /** Lines that are neither silence nor an answer. */
  complaints: string[];
}

interface Ran {
  ms: number;
  code: number;
  output: string;
  complaint: string;
}

export async function benchTrouble(
  paths: Paths,
  environment: NodeJS.ProcessEnv,
  payload: object,
): Promise<TroubleFigures> {
  const fire = (event: string, session: string) =>
    fireHook(
      event,
      { ...payload, session_id: session },
      { ...environment, REFLECT_HOME: paths.home, REFLECT_HOOK_WAKE: 'off' },
    );
  const first = await startBuilt(paths, environment);
  process.kill(first.pid, 'SIGSTOP');
  const hung: Ran[] = [];
  const hungAtStart: Ran[] = [];
  for (let run = 0; run < RUNS; run++) {
    hung.push(await fire('UserPromptSubmit', 'hung'));
    hungAtStart.push(await fire('SessionStart', 'hung'));
  }
  process.kill(first.pid, 'SIGCONT');

  const fired: Ran[] = [];
  const work = async () => {
    while (fired.length < FIRED) fired.push(await fire('SessionStart', `restart-${fired.length}`));
  };
  const firing = Promise.all(Array.from({ length: AT_ONCE }, work));
  process.kill(first.pid, 'SIGKILL');
  const second = await startBuilt(paths, environment);
  await firing;
  await second.stop();
  await first.stop();
  const all = [...hung, ...hungAtStart, ...fired];
  return {
    hungMs: median(hung.map(({ ms }) => ms)),
    hungStartMs: median(hungAtStart.map(({ ms }) => ms)),
    fired: fired.length,
    answered: fired.filter(({ output }) => output !== '').length,
    longestMs: Math.max(...fired.map(({ ms }) => ms)),
    exitCodes: [...new Set(all.map(({ code }) => code))],
    complaints: all
      .flatMap(({ output, complaint }) => [
        complaint,
        output.startsWith('{"hookSpecificOutput"') ? '' : output,
      ])
      .filter(Boolean),
  };
}

function fireHook(event: string, payload: object, env: NodeJS.ProcessEnv): Promise<Ran> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(DIST, 'hook.cjs'), event, 'claude-code'], {
    env,
    stdio: 'pipe',
  });
  let [output, complaint] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(payload));
  return new Promise((resolve) =>
    child.once('close', (code) =>
      resolve({ ms: performance.now() - began, code: code ?? -1, output, complaint }),
    ),
  );
}
