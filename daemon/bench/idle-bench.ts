import { crossEncoderChoice } from './models.ts';
import { type RunningDaemon, sleep, startBuilt } from './daemon-process.ts';
import type { Homes } from './home.ts';
import { useOf } from './machine.ts';

const SETTLE = 3_000; // ms
const WATCH = 10_000; // ms

export interface IdleUse {
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

/** Cost of an idle daemon. All daemons are measured over the same ten seconds. */
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
    await sleep(SETTLE);
    const [withoutModels, withEmbedder, withBothModels = null] = await watch(daemons.map(({ pid }) => pid));
    if (!withoutModels || !withEmbedder) throw new Error('no daemon was measured');
    return { size, withoutModels, withEmbedder, withBothModels };
  } finally {
    await Promise.all(daemons.map((daemon) => daemon.stop()));
  }
}

async function watch(pids: number[]): Promise<IdleUse[]> {
  const before = pids.map(useOf);
  const start = performance.now();
  await sleep(WATCH);
  const watchedMs = performance.now() - start;
  return pids.map(useOf).map(({ cpuMs, rssMb }, index) => ({
    rssMb,
    cpuPercent: (100 * (cpuMs - (before[index]?.cpuMs ?? 0))) / watchedMs,
  }));
}
