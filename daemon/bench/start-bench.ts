import { crossEncoderChoice, EMBEDDER_ROLES, openInference } from './models.ts';
import { sleep, startBuilt } from './daemon-process.ts';
import type { Homes } from './home.ts';
import { watchContention } from './machine.ts';
import { median, timed } from './statistics.ts';

const STARTS = 5;
const RESTS = 5;
const REST = 50; // ms
const ENOUGH = 8_000; // ms; a slow start is not repeated five times

export interface StartFigures {
  size: number;
  /** Number of starts behind the plain and the reranked figure; a slow start is not repeated. */
  starts: { plain: number; reranked: number };
  listeningMs: number;
  firstAnswerMs: number;
  /** The first answer with the cross-encoder, including loading its weights; null without a cross-encoder. */
  firstRerankedMs: number | null;
  /** A question embedded by both embedders after they were unloaded for want of work. */
  backAfterRestMs: number;
  contention: number;
}

/** Time from spawn to the first answer, as for a person who searches right after logging in. */
export async function benchStart(
  homes: Homes,
  environment: NodeJS.ProcessEnv,
  size: number,
  hasCrossEncoder: boolean,
): Promise<StartFigures> {
  const others = watchContention();
  const plain = await startOften(homes, environment, size, { RECALL_CROSS_ENCODER: false });
  const reranked = hasCrossEncoder
    ? await startOften(homes, { ...environment, REFLECT_CE_MODEL: crossEncoderChoice(environment) }, size, {})
    : null;
  return {
    size,
    starts: { plain: plain.length, reranked: reranked?.length ?? 0 },
    listeningMs: median(plain.map(({ listening }) => listening)),
    firstAnswerMs: median(plain.map(({ answered }) => answered)),
    firstRerankedMs: reranked && median(reranked.map(({ answered }) => answered)),
    backAfterRestMs: await backAfterRest(environment),
    contention: others(),
  };
}

async function startOften(homes: Homes, environment: NodeJS.ProcessEnv, size: number, knobs: object) {
  const paths = await homes.filled(size);
  const starts: Array<{ listening: number; answered: number }> = [];
  const begin = performance.now();
  while (starts.length < STARTS && (starts.length === 0 || performance.now() - begin < ENOUGH)) {
    const daemon = await startBuilt(paths, environment);
    try {
      const { hits, at } = await daemon.search('why does the build fail on a clean checkout', { knobs });
      if (hits.length === 0) throw new Error('the first recall found nothing');
      starts.push({ listening: daemon.listeningMs, answered: at - daemon.spawnedAt });
    } finally {
      await daemon.stop();
    }
  }
  return starts;
}

async function backAfterRest(environment: NodeJS.ProcessEnv): Promise<number> {
  const inference = await openInference(environment, '', REST);
  const embed = (text: string) => Promise.all(EMBEDDER_ROLES.map((role) => inference.embedQuery(role, text)));
  const times: number[] = [];
  try {
    await embed('warm up');
    for (let rest = 0; rest < RESTS; rest++) {
      while (inference.models().some(({ state }) => state === 'loaded')) await sleep(REST);
      times.push(await timed(() => embed(`question ${rest}`)));
    }
  } finally {
    await inference.close();
  }
  return median(times);
}
