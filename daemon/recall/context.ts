import { DaemonError } from '#contract/errors.ts';
import type { EmbedderRole } from '../inference/inference.ts';
import { TOKEN_MODEL } from '../inference/token-vectors.ts';
import { searchByWords, type TextMatch } from '../store/search/words.ts';
import type { Embedder, QuestionVector } from './candidate.ts';
import type { RecallContext, RecallRequest } from './port.ts';

const CROWDED = 800; // ms until a question is embedded at all; in a crowd, words alone answer the rest
export const RESERVED_MS = 60; // ms that the steps after it and the way back to the agent may take
const EMBEDDING_TIMEOUT_MS = 2_000; // for one question; after that, an answer by words alone is better than waiting

/** The question as embedders see it, each asked at most once. */
export interface Embedding {
  embedders: readonly Embedder[];
  lead: () => Promise<QuestionVector | null>;
  all: () => Promise<QuestionVector[]>;
  started: () => Promise<QuestionVector[]>;
}

/** Adds what the searching steps share. Words are searched and the question is embedded at most once, on first use. */
export function searchContext(
  request: RecallRequest,
  shards: number[] | null,
  started: Embedding | null,
): Omit<RecallContext, 'searchAhead'> {
  const { db, question, only } = request;
  let matched: { most: number; matches: readonly TextMatch[] } | null = null;
  const wordMatches = (most: number) => {
    if (!matched || matched.most < most)
      matched = { most, matches: searchByWords(db, question.words, shards, most, only) };
    return matched.matches.slice(0, most);
  };
  let embedding = started;
  const embedOnce = () => (embedding ??= embed(request));
  return {
    ...request,
    shards,
    wordMatches,
    embedders: started?.embedders ?? embeddersOf(request),
    leadVector: () => embedOnce().lead(),
    vectors: () => embedOnce().all(),
    startedVectors: () => embedOnce().started(),
  };
}

const embeddersOf = ({ inference, indexes }: RecallRequest): Embedder[] =>
  indexes.flatMap(({ role, table }) => {
    const model = inference.available(role);
    return model && table ? [{ role, model, table }] : [];
  });

/** The one whose tokens can be compared: it is the smaller one too, and with them it mostly needs no second opinion. */
const leadOf = (embedders: readonly Embedder[]): Embedder | undefined =>
  embedders.find(({ model }) => model.id === TOKEN_MODEL) ?? embedders[0];

/**
 * Starts the leading embedder on the question. While no one else waits for a model, the others start when the search by
 * words is done and a core is free, in case they are needed: a question that needs them then waits 3 ms less. In a
 * crowd they start when they are asked for, which most questions do without. A thorough request needs them all.
 */
export function embed(request: RecallRequest): Embedding {
  const embedders = embeddersOf(request);
  const reading = new Map<EmbedderRole, Promise<QuestionVector | null>>();
  const readBy = (embedder: Embedder) => {
    const vector = reading.get(embedder.role) ?? readAs(embedder, request);
    reading.set(embedder.role, vector);
    vector.catch(() => {}); // reported where it is awaited, and an answer may need none
    return vector;
  };
  const read = async (these: readonly Embedder[]) =>
    (await Promise.all(these.map(readBy))).filter((vector) => vector !== null);
  const all = () => read(embedders);
  const started = () => read(embedders.filter(({ role }) => reading.has(role)));
  const lead = leadOf(embedders);
  if (!lead) return { embedders, lead: async () => null, all, started };
  const isAlone = !request.inference.isBusy();
  const startAll = () => void all().catch(() => {}); // as above
  if (request.thorough) startAll();
  else {
    void readBy(lead);
    if (isAlone) setImmediate(startAll);
  }
  return { embedders, lead: () => readBy(lead), all, started };
}

/** One that fails or is late is left out: an arm may help, never block. */
async function readAs(
  embedder: Embedder,
  { inference, question, deadline }: RecallRequest,
): Promise<QuestionVector | null> {
  const left = (deadline ?? Infinity) - performance.now() - RESERVED_MS;
  try {
    const { vector, tokens } = await inference.readQuery(embedder.role, question.text, {
      timeoutMs: Math.max(0, Math.min(EMBEDDING_TIMEOUT_MS, left)),
      beginMs: CROWDED,
    });
    return { ...embedder, vector, tokens };
  } catch (error) {
    if (error instanceof DaemonError) return null;
    throw error;
  }
}
