import type * as z from 'zod';
import { DaemonError } from '#contract/errors.ts';
import type { Learning } from '#contract/entities.ts';
import type { Memory, MemoryQuery } from '#contract/outcomes.ts';
import { calibrated } from '../../inference/similarity.ts';
import { number } from '../../ports/knob.ts';
import { coverage, jaccard } from '../../text/similarity.ts';
import { contentTerms } from '../../text/tokenise.ts';
import { chooseDiverse, likenessAmong, repeatsFrom } from '../../recall/choose-diverse.ts';
import type { RecallParts } from '../../recall/recall.ts';
import { learningsBySeq, textsOf } from '../../store/learnings/learnings.ts';
import { rowsWithMetadata } from '../../store/learnings/find.ts';
import { searchByWords } from '../../store/search/words.ts';
import { shardsIn } from '../../store/search/shards.ts';
import { logQuery } from '../log-query.ts';
import { searchByVector } from '../../store/search/vectors.ts';
import { resolveProject } from '../resolve-project.ts';
import { toMemory } from './memory.ts';

type Query = z.output<typeof MemoryQuery>;

/** Rows similar to a task, most similar first, and the similarity between any two of them. */
interface Similar {
  rows: Array<{ seq: number; similarity: number }>;
  likeness: (one: number, other: number) => number;
  notices: string[];
}

interface Candidate {
  seq: number;
  learning: Learning;
  similarity: number;
  score: number;
}

export const MEMORY_KNOBS = {
  similarityThreshold: number('REFLECT_MEMORY_SIMILARITY_THRESHOLD', {
    default: 0.5,
    min: 0,
    max: 1,
    doc: 'Minimum similarity of a memory’s task, unless the query sets it; 0 for no minimum',
  }),
};

/**
 * Stretches our similarity to the scale that thresholds of memories are given in: 0.5 parts tasks of the same kind from
 * others,
 * 0.7 lets only near repetitions through. Tasks of one kind measure 0.40 to 0.53 before, others at most 0.39.
 */
const SCALE = 0.8;
const similarityOf = (...compared: Parameters<typeof calibrated>): number => calibrated(...compared) ** SCALE;

const LOOKED_AT = 500; // rows, because utility may lift one that ranks low by similarity
const POOL = 5; // times the limit; the diverse ones are chosen from these
const TIMEOUT_MS = 5_000; // for embedding the task

/** Memories of similar tasks: above the threshold, ranked by similarity and utility, and different from each other. */
export async function queryMemories(
  parts: RecallParts,
  query: Query,
): Promise<{ memories: Memory[]; notices: string[] }> {
  const { db, settings } = parts;
  const start = performance.now();
  const { task, limit, lambda, mmrLambda, metadataFilter, session = '' } = query;
  const resolved = resolveProject(query);
  const resolve = settings.resolver({ projectRoot: resolved.root });
  const threshold = query.similarityThreshold ?? resolve(MEMORY_KNOBS.similarityThreshold);
  const isNowhere = query.cwd === undefined && query.project === undefined;
  const shards = shardsIn(db, {
    project: resolved.project,
    branch: resolved.branch,
    allBranches: false,
    everywhere: query.global ?? isNowhere,
  });
  const only = metadataFilter ? new Set(rowsWithMetadata(db, metadataFilter, shards)) : null;
  const similar = (await byMeaning(parts, task, shards, only)) ?? byWords(parts, task, shards, only);
  const near = similar.rows.filter(({ similarity }) => similarity >= threshold);
  const learnings = learningsBySeq(
    db,
    near.map(({ seq }) => seq),
  );
  const pool = near
    .flatMap(({ seq, similarity }): Candidate[] => {
      const learning = learnings.get(seq);
      return learning
        ? [{ seq, learning, similarity, score: (1 - lambda) * similarity + lambda * learning.signals.qValue }]
        : [];
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit * POOL);
  const memories = diverse(pool, limit, mmrLambda, similar.likeness).map((candidate) =>
    toMemory(candidate.learning, candidate),
  );
  logQuery(parts, {
    task,
    cwd: query.cwd,
    project: resolved.project ?? '',
    session,
    ms: performance.now() - start,
    ids: memories.map(({ id }) => id),
  });
  return { memories, notices: similar.notices };
}

async function byMeaning(
  { db, inference, indexes: [index] }: RecallParts,
  task: string,
  shards: number[] | null,
  only: ReadonlySet<number> | null,
): Promise<Similar | null> {
  const model = index && inference.available(index.role);
  const table = index?.table;
  if (!model || !table) return null;
  try {
    const vector = await inference.embedQuery(index.role, task, { timeoutMs: TIMEOUT_MS });
    const rows = searchByVector(db, table, vector, shards, LOOKED_AT, only).map(({ seq, cosine: raw }) => ({
      seq,
      similarity: similarityOf(model, raw),
    }));
    const seqs = rows.map(({ seq }) => seq);
    return { rows, notices: [], likeness: likenessAmong(db, [{ model, table }], seqs) };
  } catch (error) {
    if (error instanceof DaemonError) return null; // matching words is better than no answer
    throw error;
  }
}

/** Used without an embedder: similarity is the share of the task's words in a note. */
function byWords(
  { db }: RecallParts,
  task: string,
  shards: number[] | null,
  only: ReadonlySet<number> | null,
): Similar {
  const seqs = searchByWords(db, task, shards, LOOKED_AT, only).map(({ seq }) => seq);
  const texts = textsOf(db, seqs);
  const termsOf = (seq: number) => contentTerms(texts.get(seq) ?? '');
  return {
    rows: seqs.map((seq) => ({ seq, similarity: coverage(task, texts.get(seq) ?? '') })),
    likeness: (one, other) => jaccard(termsOf(one), termsOf(other)),
    notices: [
      'The embedder is not available: memories were compared by words only. `reflect models get` fetches it.',
    ],
  };
}

/** Weighs the score of a candidate against its likeness to those it repeats; at 1 the score alone counts. */
export function diverse<T extends { seq: number; score: number }>(
  pool: readonly T[],
  limit: number,
  lambda: number,
  likeness: (one: number, other: number) => number,
): T[] {
  return chooseDiverse(
    pool,
    limit,
    (one, other) => (lambda === 1 ? 0 : likeness(one.seq, other.seq)),
    ({ score }, similar) => lambda * score - (similar < repeatsFrom(lambda) ? 0 : (1 - lambda) * similar),
  ).map(({ candidate }) => candidate);
}
