import { DaemonError } from '#contract/errors.ts';
import { searchByWords, type TextMatch } from '../store/search/words.ts';
import type { QuestionVector } from './candidate.ts';
import type { RecallContext, RecallRequest } from './port.ts';

const WORD_MATCHES = 200; // more than any arm brings by default
const CROWDED = 800; // ms until a question is embedded at all; in a crowd, words alone answer the rest
export const RESERVED_MS = 60; // ms that the steps after it and the way back to the agent may take
const PATIENCE = 2_000; // ms for embedding one question; after that, an answer by words alone is better than waiting

/** The question as each embedder will see it. */
export type Embedding = ReadonlyArray<Promise<QuestionVector | null>>;

/** Adds what the searching steps share. Words are searched and the question is embedded at most once, on first use. */
export function searchContext(
  request: RecallRequest,
  shards: number[] | null,
  started: Embedding | null,
): Omit<RecallContext, 'searchAhead'> {
  const { db, question, only } = request;
  let matches: readonly TextMatch[] | null = null;
  let embedding = started;
  const embedOnce = () => (embedding ??= embed(request));
  return {
    ...request,
    shards,
    wordMatches: () => (matches ??= searchByWords(db, question.words, shards, WORD_MATCHES, only)),
    firstVector: async () => (await embedOnce()[0]) ?? null,
    vectors: async () => (await Promise.all(embedOnce())).filter((vector) => vector !== null),
  };
}

/** Starts every embedder on the question. One that fails or is late is left out: an arm may help, never block. */
export function embed({ inference, indexes, question, deadline }: RecallRequest): Embedding {
  const left = (deadline ?? Infinity) - performance.now() - RESERVED_MS;
  const all = indexes.map(async ({ role, table }) => {
    const model = inference.available(role);
    if (!model || !table) return null;
    try {
      const { vector, tokens } = await inference.readQuery(role, question.text, {
        timeoutMs: Math.max(0, Math.min(PATIENCE, left)),
        beginMs: CROWDED,
      });
      return { role, model, table, vector, tokens };
    } catch (error) {
      if (error instanceof DaemonError) return null;
      throw error;
    }
  });
  for (const one of all) one.catch(() => {}); // reported where it is awaited, and an answer may need none
  return all;
}
