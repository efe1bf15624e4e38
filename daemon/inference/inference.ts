import type { ModelState } from '#contract/settings.ts';
import { DaemonError } from '#contract/errors.ts';
import { MANIFEST } from '../../models/manifest.ts';
import { bundledFolder } from '../../models/model-folders.ts';
import { Lru } from '../platform/lru.ts';
import { isInHurry, waitedMs } from '../platform/urgency.ts';
import { ModelDownloads } from './model-downloads.ts';
import type { Located } from './model-files.ts';
import { createQueue, type Lane, type Urgency } from './queue.ts';
import {
  findModels,
  NOTHING_FOUND,
  type Choices,
  type EmbedderRole,
  type Found,
  type ModelRole,
  type RowOf,
} from './roles.ts';
import { TOKEN_MODEL, type TokenVectors } from './token-vectors.ts';
import type { CheckedFiles, Computed, Work } from './worker-messages.ts';
import { createWorkerThread, LoadFailure } from './worker-thread.ts';

export type { EmbedderRole, ModelRole, RowOf } from './roles.ts';

interface Limits {
  /** The promise rejects with `timed-out` after this long; without it there is no limit. */
  timeoutMs?: number;
  /** The same if it has not even begun after this long, because many others wait. */
  beginMs?: number;
}

interface RerankLimits extends Limits {
  /** Nobody waits for it, so questions go first. */
  inBackground?: boolean;
}

/** A text as an embedder sees it: one vector, and its tokens if they are projected (token-vectors.ts). */
export interface Embedded {
  vector: Float32Array;
  tokens: TokenVectors | null;
}

export interface Inference {
  /** The vector with the tokens it was made of. */
  readQuery(role: EmbedderRole, text: string, limits?: Limits): Promise<Embedded>;
  readDocument(role: EmbedderRole, text: string, limits?: Limits): Promise<Embedded>;
  /** A vector of length one; compare with `cosine`, judge with `calibrated` of similarity.ts. */
  embedQuery(role: EmbedderRole, text: string, limits?: Limits): Promise<Float32Array>;
  embedDocument(role: EmbedderRole, text: string, limits?: Limits): Promise<Float32Array>;
  /** How well each passage answers the query, 0 to 1. */
  rerank(query: string, passages: string[], limits?: RerankLimits): Promise<number[]>;
  models(): ModelState[];
  /** The manifest's row of the model in this role while it can be used, else null. */
  available<S extends ModelRole>(role: S): RowOf<S> | null;
  /** Reads again which files are on disk. */
  refresh(): Promise<void>;
  /**
   * Fetches missing weights (of one model or all); settles when they are there or are not available. `models()` shows
   * the progress.
   */
  fetch(id?: string): Promise<void>;
  close(): Promise<void>;
}

export interface InferenceOptions extends Choices {
  modelsDir: string;
  threads: number;
  /** Sessions are closed after this long without work; 0 keeps them open. */
  idleUnloadMs: number;
  onChange: () => void;
  log: (line: string) => void;
  bundledDir?: string | null;
  workerUrl?: URL;
}

const REMEMBERED_QUERIES = 500;

export function createInference(options: InferenceOptions): Inference {
  const { modelsDir, onChange, log, bundledDir = bundledFolder(process.env) } = options;
  const queue = createQueue();
  const queries = new Lru<string, Embedded>(REMEMBERED_QUERIES);
  const loaded = new Set<string>();
  const failures = new Map<string, string>();
  let found: Found = NOTHING_FOUND;
  let closed = false;

  const startThread = () =>
    createWorkerThread({
      url: options.workerUrl ?? defaultWorkerUrl(),
      threads: options.threads,
      onLoaded(key, ms) {
        loaded.add(key);
        log(
          `loaded ${found.all.find(({ files }) => files?.key === key)?.row.id ?? key} in ${Math.round(ms)} ms`,
        );
        onChange();
      },
      onEnded(reason, keys) {
        for (const key of keys) loaded.delete(key);
        log(reason ?? 'the models were unloaded');
        onChange();
      },
    });
  // Both embedders read a question at the same time; the cross-encoder comes after them and shares the second thread.
  const threads = [startThread(), startThread()] as const;
  const stopThreads = () => Promise.all(threads.map((thread) => thread.stop()));
  let working = 0;
  let idle: NodeJS.Timeout | undefined;
  const downloads = new ModelDownloads({ modelsDir, bundledDir, onProgress: onChange, log });

  async function refresh(): Promise<void> {
    found = await findModels(options, modelsDir, bundledDir);
    // A file that did not load gets another try once something changed.
    failures.clear();
    onChange();
  }

  /** The reason why a model cannot be used; null when it can. */
  const obstacle = ({ files, detail }: Located): string | null =>
    files ? (failures.get(files.key) ?? null) : detail;

  function ready<S extends ModelRole>(role: S): { row: RowOf<S>; files: CheckedFiles } {
    const located = found.roles[role];
    if (!located) throw new DaemonError('models-missing', `there is no ${role} with that name`);
    const why = obstacle(located);
    if (!located.files || why !== null) throw new DaemonError('models-missing', `${located.row.id}: ${why}`);
    return { row: located.row, files: located.files };
  }

  async function perform(
    role: ModelRole,
    urgency: Urgency,
    { timeoutMs, beginMs }: Limits,
    work: Work,
  ): Promise<Computed> {
    const lane: Lane = role === 'embedder' ? 0 : 1;
    clearTimeout(idle);
    working++;
    try {
      if (urgency === 'query' && waitedMs() > (beginMs ?? Infinity))
        throw new DaemonError('timed-out', 'too many others wait');
      const turn = urgency === 'query' && isInHurry() ? 'hook' : urgency;
      return await queue.add(turn, timeoutMs, () => threads[lane].call(work), lane, beginMs);
    } catch (error) {
      if (!(error instanceof LoadFailure)) throw error;
      failures.set(work.files.key, error.message);
      log(`a model cannot be loaded: ${error.message}`);
      onChange();
      throw new DaemonError('models-missing', error.message);
    } finally {
      working--;
      if (working === 0 && options.idleUnloadMs > 0 && !closed)
        idle = setTimeout(() => void stopThreads(), options.idleUnloadMs).unref();
    }
  }

  async function readQuery(role: EmbedderRole, text: string, limits: Limits = {}): Promise<Embedded> {
    // Without a wait once models are known: the thread begins before the caller does anything else.
    if (found === NOTHING_FOUND) await firstRefresh;
    const { row, files } = ready(role);
    const key = `${files.key} ${text}`;
    const embedded =
      queries.get(key) ??
      embeddedOf(await perform(role, 'query', limits, embedding(row, files, row.queryPrefix + text)));
    queries.set(key, embedded);
    // A copy, so that no caller sees what another does to its vector.
    return { ...embedded, vector: embedded.vector.slice() };
  }

  async function readDocument(role: EmbedderRole, text: string, limits: Limits = {}): Promise<Embedded> {
    await firstRefresh;
    const { row, files } = ready(role);
    return embeddedOf(
      await perform(role, 'document', limits, embedding(row, files, row.documentPrefix + text)),
    );
  }

  async function rerank(query: string, passages: string[], limits: RerankLimits = {}): Promise<number[]> {
    await firstRefresh;
    const { row, files } = ready('cross-encoder');
    const { values: logits } = await perform(
      'cross-encoder',
      limits.inBackground ? 'document' : 'query',
      limits,
      {
        kind: 'rerank',
        files,
        maxTokens: row.maxTokens,
        query,
        passages,
      },
    );
    return Array.from(logits, (logit) => 1 / (1 + Math.exp(-logit)));
  }

  function stateOf(located: Located): Pick<ModelState, 'state' | 'detail' | 'fetched'> {
    const { row, files, bytes, detail } = located;
    const progress = downloads.progressOf(row.id);
    if (progress !== null) return { state: 'fetching', fetched: progress, detail: 'downloading' };
    if (!files) return { state: located.state, fetched: 0, detail: downloads.failureOf(row.id) ?? detail };
    const failure = failures.get(files.key);
    if (failure !== undefined) return { state: 'failed', fetched: bytes, detail: failure };
    return { state: loaded.has(files.key) ? 'loaded' : 'ready', fetched: bytes, detail };
  }

  const roleOf = (located: Located): ModelRole | null =>
    (['embedder', 'second-embedder', 'cross-encoder'] as const).find(
      (role) => found.roles[role] === located,
    ) ?? null;

  const firstRefresh = refresh();

  return {
    readQuery,
    readDocument,
    embedQuery: async (role, text, limits) => (await readQuery(role, text, limits)).vector,
    embedDocument: async (role, text, limits) => (await readDocument(role, text, limits)).vector,
    rerank,
    models: () =>
      found.all.map((located) => {
        const { id, role, licence } = located.row;
        return { id, role, licence, bytes: located.bytes, slot: roleOf(located), ...stateOf(located) };
      }),
    available(role) {
      const located = found.roles[role];
      return located && obstacle(located) === null ? located.row : null;
    },
    refresh,
    async fetch(id) {
      if (id !== undefined && !MANIFEST.some((row) => row.id === id))
        throw new DaemonError('not-found', `model ${id}`);
      await firstRefresh;
      const present = new Set(found.all.filter(({ state }) => state === 'ready').map(({ row }) => row.id));
      await downloads.fetch(
        MANIFEST.filter((row) => (id === undefined || row.id === id) && !present.has(row.id)),
      );
      if (!closed) await refresh();
    },
    async close() {
      closed = true;
      downloads.close();
      queue.close();
      await firstRefresh;
      clearTimeout(idle);
      await stopThreads();
    },
  };
}

function embedding(row: RowOf<EmbedderRole>, files: CheckedFiles, text: string): Work {
  const { maxTokens, pooling, id } = row;
  return { kind: 'embed', files, maxTokens, pooling, withTokens: id === TOKEN_MODEL, text };
}

const embeddedOf = ({ values, tokens }: Computed): Embedded => ({ vector: values, tokens });

/** The worker beside this file: its source, or what the build made of it. */
function defaultWorkerUrl(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './inference-worker.js', import.meta.url);
}
