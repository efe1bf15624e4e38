import type { Paths } from '../platform/paths.ts';
import { fireHook, type FiredHook, startBuilt } from './daemon-process.ts';
import { median } from './statistics.ts';

const RUNS = 9;
const FIRED = 200;
const AT_ONCE = 4;

/** How hooks behave when the daemon hangs, and when it is killed and restarted while they fire. */
export interface TroubleFigures {
  hungMs: number;
  hungStartMs: number;
  fired: number;
  answered: number;
  longestMs: number;
  exitCodes: number[];
  /** Output that is neither empty nor an answer. */
  complaints: string[];
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
  const hung: FiredHook[] = [];
  const hungAtStart: FiredHook[] = [];
  for (let run = 0; run < RUNS; run++) {
    hung.push(await fire('UserPromptSubmit', 'hung'));
    hungAtStart.push(await fire('SessionStart', 'hung'));
  }
  process.kill(first.pid, 'SIGCONT');

  const fired: FiredHook[] = [];
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
