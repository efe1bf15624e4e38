import type { Inference } from '../inference/inference.ts';
import { embeddedText } from '../store/search/note-text.ts';
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
  ratioToEmbedding: Spread;
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
    const plain = await benchPlain(parts, next);
    const reranked = await benchReranked(parts, next);
    return { size, ...plain, reranked, contention: others() };
  } finally {
    home.close();
  }
}

async function benchPlain(parts: RecallParts, next: () => string) {
  const ask: Ask = (question) => answer(parts, { ...question, knobs: { RECALL_CROSS_ENCODER: false } });
  for (let i = 0; i < WARM_UP; i++) await ask({ query: next(), global: true });
  const everywhere: number[][] = [];
  const inProject: number[][] = [];
  const embedding: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [wide, narrow, alone]: [number[], number[], number[]] = [[], [], []];
    // Interleaved, so that other load on the machine affects all three alike.
    for (let i = 0; i < PER_ROUND; i++) {
      const [one, two, three] = [next(), next(), next()];
      wide.push(await timed(() => ask({ query: one, global: true })));
      alone.push(await timed(() => parts.inference.embedQuery('embedder', two)));
      narrow.push(await timed(() => ask({ query: three, project: PROJECTS[i % PROJECTS.length] })));
    }
    everywhere.push(wide);
    inProject.push(narrow);
    embedding.push(alone);
  }
  const [wide, alone] = [acrossRounds(everywhere), acrossRounds(embedding)];
  return {
    everywhere: wide,
    inProject: acrossRounds(inProject),
    embeddingAlone: alone,
    ratioToEmbedding: ratio(wide, alone),
    stages: await stagesOf(parts, next),
  };
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
