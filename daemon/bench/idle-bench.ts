import { crossEncoderChoice } from './models.ts';
import { type RunningDaemon, sleep, startBuilt } from './daemon-process.ts';
import type { Homes } from './home.ts';
import { useOf } from './machine.ts';

const LOOK = 10_000; // ms
const QUIET = 10; // ms of processor time in a look: one tick of the clock that counts it
const FIRST_WORK = 75_000; // ms; by then all that a start leaves for later has begun
const TIMEOUT_MS = 5 * 60_000;
const WATCH = 60_000; // ms

export interface IdleUse {
  /** Seconds from the last question until the daemon had nothing left to do. */
  settledAfter: number;
  rssMb: number;
  cpuPercent: number;
}

export interface IdleFigures {
  size: number;
  withoutModels: IdleUse;
  withEmbedder: IdleUse;
  /** Null when no cross-encoder is available. */
  withBothModels: IdleUse | null;
}

/**
 * Cost of an idle daemon, once it has settled: at its first start it compares all notes with each other, as after an
 * import. All daemons are measured over the same minute.
 */
export async function benchIdle(
  homes: Homes,
  environment: NodeJS.ProcessEnv,
  size: number,
  hasCrossEncoder: boolean,
): Promise<IdleFigures> {
  const bare = { ...environment, REFLECT_MODELS_DIR: homes.folder('no-models'), REFLECT_CE_MODEL: '' };
  const daemons: RunningDaemon[] = [];
  const start = async (name: string, env: NodeJS.ProcessEnv) => {
    const daemon = await startBuilt(await homes.copy(size, `${name}-${size}`), env);
    daemons.push(daemon);
    return daemon;
  };
  try {
    await start('idle-bare', bare);
    const embedder = await start('idle-embedder', environment);
    await embedder.search('how do we run the tests', { knobs: { RECALL_CROSS_ENCODER: false } });
    if (hasCrossEncoder) {
      const both = await start('idle-both', {
        ...environment,
        REFLECT_CE_MODEL: crossEncoderChoice(environment),
      });
      await both.search('how do we run the tests');
    }
    const pids = daemons.map(({ pid }) => pid);
    const settled = await settle(pids);
    const uses = await watch(pids);
    const [withoutModels, withEmbedder, withBothModels = null] = uses.map((use, index) => ({
      ...use,
      settledAfter: settled[index] ?? 0,
    }));
    if (!withoutModels || !withEmbedder) throw new Error('no daemon was measured');
    return { size, withoutModels, withEmbedder, withBothModels };
  } finally {
    await Promise.all(daemons.map((daemon) => daemon.stop()));
  }
}

/** Waits until none of the processes does anything, and returns after how many seconds each stopped. */
async function settle(pids: number[]): Promise<number[]> {
  const start = performance.now();
  const busyUntil = pids.map(() => 0);
  let used = pids.map((pid) => useOf(pid).cpuMs);
  while (performance.now() - start < TIMEOUT_MS) {
    await sleep(LOOK);
    const now = pids.map((pid) => useOf(pid).cpuMs);
    const busy = now.map((cpuMs, index) => cpuMs - (used[index] ?? 0) > QUIET);
    used = now;
    busy.forEach((is, index) => is && (busyUntil[index] = (performance.now() - start) / 1_000));
    if (!busy.includes(true) && performance.now() - start > FIRST_WORK) return busyUntil;
  }
  throw new Error(`a daemon is still busy after ${TIMEOUT_MS / 60_000} minutes`);
}

async function watch(pids: number[]): Promise<Array<Omit<IdleUse, 'settledAfter'>>> {
  const before = pids.map(useOf);
  const start = performance.now();
  await sleep(WATCH);
  const watchedMs = performance.now() - start;
  return pids.map(useOf).map(({ cpuMs, rssMb }, index) => ({
    rssMb,
    cpuPercent: (100 * (cpuMs - (before[index]?.cpuMs ?? 0))) / watchedMs,
  }));
}
