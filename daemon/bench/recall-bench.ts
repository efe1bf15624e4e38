import type { Inference } from '../inference/inference.ts';
import { embeddedText } from '../store/search/note-text.ts';
import { RecallCache } from '../recall/answer-cache.ts';
import { answer, type RecallParts, type RecallQuestion } from '../recall/recall.ts';
import { makeQuestions } from './corpus.ts';
import { type Homes, openHome } from './home.ts';
import { watchContention } from './machine.ts';
import { fillSearchCache, recallParts } from './recall-parts.ts';
import { acrossRounds, median, type Spread, timed } from './statistics.ts';
import { PROJECTS } from './vocabulary.ts';

const ROUNDS = 5;
const WARM_UP = 10;
const PER_ROUND = 30;
const RERANKED_PER_ROUND = 4;
const TRACED = 20;
const WINDOW = 20; // candidates for the cross-encoder, the default of its port

export interface RecallFigures {
  size: number;
  everywhere: Spread;
  inProject: Spread;
  embeddingAlone: Spread;
  /** The slower embedder alone, and what the size of the knowledge base may add to it: nothing answers sooner. */
  floorMs: number;
  /** Recall everywhere and in a project, compared with that floor. */
  ratioToFloor: { everywhere: number; inProject: number };
  /** The same question asked again. */
  cached: Spread;
  stages: Record<string, number>;
  reranked: RerankedFigures | null;
  contention: number;
}

interface RerankedFigures {
  model: string;
  recall: Spread;
  batchAlone: Spread;
  /** Compared with one query embedding and that batch, each alone. */
  ratio: Spread;
}

/** Milliseconds that searching may take, by the largest size each is for. */
const SEARCH_MS: ReadonlyArray<readonly [learnings: number, ms: number]> = [
  [1_000, 3],
  [10_000, 6],
  [Infinity, 20],
];

type Ask = (question: RecallQuestion) => ReturnType<typeof answer>;

/** Recall as the daemon runs it, warm, with new questions. */
export async function benchRecall(homes: Homes, inference: Inference, size: number): Promise<RecallFigures> {
  const paths = await homes.filled(size);
  const home = openHome(paths, inference);
  const parts = recallParts(home.db, inference, paths.home);
  fillSearchCache(home.db, inference);
  const others = watchContention();
  // Seeded by the size, because a repeated question would come from the query cache.
  const questions = makeQuestions(3_000, size)[Symbol.iterator]();
  const next = () => questions.next().value ?? '';
  try {
    const plain = await benchPlain(parts, next, size);
    const reranked = await benchReranked(parts, next);
    return { size, ...plain, reranked, contention: others() };
  } finally {
    home.close();
  }
}

async function benchPlain(parts: RecallParts, next: () => string, size: number) {
  const ask: Ask = (question) => answer(parts, { ...question, knobs: { RECALL_CROSS_ENCODER: false } });
  for (let i = 0; i < WARM_UP; i++) await ask({ query: next(), global: true });
  const rounds = { wide: [], narrow: [], first: [], second: [], again: [] } as Record<Measured, number[][]>;
  for (let round = 0; round < ROUNDS; round++) {
    const times = await measureRound(parts, next);
    for (const [what, all] of Object.entries(times) as Array<[Measured, number[]]>) rounds[what].push(all);
  }
  const [wide, narrow, first, second] = [rounds.wide, rounds.narrow, rounds.first, rounds.second].map(
    acrossRounds,
  ) as [Spread, Spread, Spread, Spread];
  const search = SEARCH_MS.find(([learnings]) => size <= learnings)?.[1] ?? 0;
  const floorMs = Math.max(first.p50, second.p50) + search;
  return {
    everywhere: wide,
    inProject: narrow,
    embeddingAlone: first,
    floorMs,
    ratioToFloor: { everywhere: wide.p50 / floorMs, inProject: narrow.p50 / floorMs },
    cached: acrossRounds(rounds.again),
    stages: await stagesOf(parts, next),
  };
}

type Measured = 'wide' | 'narrow' | 'first' | 'second' | 'again';

/** Interleaved, so that other load on the machine affects all of them alike. */
async function measureRound(parts: RecallParts, next: () => string): Promise<Record<Measured, number[]>> {
  const times: Record<Measured, number[]> = { wide: [], narrow: [], first: [], second: [], again: [] };
  for (let i = 0; i < PER_ROUND; i++) {
    const question = { query: next(), global: true, knobs: { RECALL_CROSS_ENCODER: false } };
    const remembering = { ...parts, cache: new RecallCache() };
    times.wide.push(await timed(() => answer(remembering, question)));
    parts.afterwards?.finish(); // what one recall leaves to record must not slow the next
    times.again.push(await timed(() => answer(remembering, question)));
    parts.afterwards?.finish();
    const [one, other] = [next(), next()];
    times.first.push(await timed(() => parts.inference.embedQuery('embedder', one)));
    times.second.push(await timed(() => parts.inference.embedQuery('second-embedder', one)));
    const project = PROJECTS[i % PROJECTS.length];
    times.narrow.push(
      await timed(() => answer(parts, { query: other, project, knobs: { RECALL_CROSS_ENCODER: false } })),
    );
    parts.afterwards?.finish();
  }
  return times;
}

/** Time per port, from the trace that `recall.explain` shows. Arms run in parallel, so their times overlap. */
async function stagesOf(parts: RecallParts, next: () => string): Promise<Record<string, number>> {
  const times = new Map<string, number[]>();
  for (let i = 0; i < TRACED; i++) {
    const { trace = [], ms } = await answer(
      parts,
      { query: next(), global: true, knobs: { RECALL_CROSS_ENCODER: false } },
      { explain: true, quiet: true },
    );
    for (const { port, ms: stepMs } of [...trace, { port: 'whole', ms }])
      times.set(port, [...(times.get(port) ?? []), stepMs]);
  }
  return Object.fromEntries([...times].map(([port, all]) => [port, median(all)]));
}

async function benchReranked(parts: RecallParts, next: () => string): Promise<RerankedFigures | null> {
  const model = parts.inference.available('cross-encoder');
  if (!model) return null;
  await answer(parts, { query: next(), global: true });
  const recalls: number[][] = [];
  const batches: number[][] = [];
  const sums: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [recall, batch, sum]: [number[], number[], number[]] = [[], [], []];
    for (let i = 0; i < RERANKED_PER_ROUND; i++) {
      const [query, other] = [next(), next()];
      recall.push(await timed(() => answer(parts, { query, global: true })));
      const { hits } = await answer(
        parts,
        { query, global: true, limit: WINDOW, knobs: { RECALL_CROSS_ENCODER: false } },
        { quiet: true },
      );
      const passages = hits.map(({ learning }) => embeddedText(learning));
      const embedding = await timed(() => parts.inference.embedQuery('embedder', other));
      const reranking = await timed(() => parts.inference.rerank(query, passages));
      batch.push(reranking);
      sum.push(embedding + reranking);
    }
    recalls.push(recall);
    batches.push(batch);
    sums.push(sum);
  }
  const recall = acrossRounds(recalls);
  return {
    model: model.id,
    recall,
    batchAlone: acrossRounds(batches),
    ratio: ratio(recall, acrossRounds(sums)),
  };
}

const ratio = (one: Spread, other: Spread): Spread => ({
  best: one.best / other.best,
  p50: one.p50 / other.p50,
  p95: one.p95 / other.p95,
});
