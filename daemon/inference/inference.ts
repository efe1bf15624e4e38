import type { ModelState } from '#contract/settings.ts';
import { DaemonError } from '#contract/errors.ts';
import { MANIFEST } from '../../models/manifest.ts';
import { bundledFolder } from '../../models/model-folders.ts';
import { Lru } from '../platform/lru.ts';
import { isInHurry, waitedMs } from '../platform/urgency.ts';
import { ModelDownloads } from './model-downloads.ts';
import type { Located } from './model-files.ts';
import { type Lane, Queue, type Urgency } from './queue.ts';
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
import { LoadFailure, WorkerThread } from './worker-thread.ts';

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
  /** True while someone waits for a model. */
  isBusy(): boolean;
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

export const createInference = (options: InferenceOptions): Inference => new OnnxInference(options);

/** Its public methods are functions of its own, so that a caller can take one alone, or replace one in a copy. */
class OnnxInference implements Inference {
  readonly #options: InferenceOptions;
  readonly #bundledDir: string | null;
  readonly #queue = new Queue();
  readonly #queries = new Lru<string, Embedded>(REMEMBERED_QUERIES);
  readonly #loaded = new Set<string>();
  readonly #failures = new Map<string, string>();
  /** A thread for each embedder; the cross-encoder comes later and shares the second one. */
  readonly #threads: readonly [WorkerThread, WorkerThread];
  readonly #downloads: ModelDownloads;
  readonly #firstRefresh: Promise<void>;
  #found: Found = NOTHING_FOUND;
  #working = 0;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: InferenceOptions) {
    const { modelsDir, onChange, log, bundledDir = bundledFolder(process.env) } = options;
    this.#options = options;
    this.#bundledDir = bundledDir;
    this.#threads = [this.#startThread(), this.#startThread()];
    this.#downloads = new ModelDownloads({ modelsDir, bundledDir, onProgress: onChange, log });
    this.#firstRefresh = this.refresh();
  }

  readonly readQuery = async (role: EmbedderRole, text: string, limits: Limits = {}): Promise<Embedded> => {
    // Without a wait once models are known: the thread begins before the caller does anything else.
    if (this.#found === NOTHING_FOUND) await this.#firstRefresh;
    const { row, files } = this.#ready(role);
    const key = `${files.key} ${text}`;
    const embedded =
      this.#queries.get(key) ??
      embeddedOf(await this.#perform(role, 'query', limits, embedding(row, files, row.queryPrefix + text)));
    this.#queries.set(key, embedded);
    // A copy, so that no caller sees what another does to its vector.
    return { ...embedded, vector: embedded.vector.slice() };
  };

  readonly readDocument = async (
    role: EmbedderRole,
    text: string,
    limits: Limits = {},
  ): Promise<Embedded> => {
    await this.#firstRefresh;
    const { row, files } = this.#ready(role);
    return embeddedOf(
      await this.#perform(role, 'document', limits, embedding(row, files, row.documentPrefix + text)),
    );
  };

  readonly embedQuery = async (role: EmbedderRole, text: string, limits?: Limits): Promise<Float32Array> =>
    (await this.readQuery(role, text, limits)).vector;

  readonly embedDocument = async (role: EmbedderRole, text: string, limits?: Limits): Promise<Float32Array> =>
    (await this.readDocument(role, text, limits)).vector;

  readonly rerank = async (
    query: string,
    passages: string[],
    limits: RerankLimits = {},
  ): Promise<number[]> => {
    await this.#firstRefresh;
    const { row, files } = this.#ready('cross-encoder');
    const urgency = limits.inBackground ? 'document' : 'query';
    const work: Work = { kind: 'rerank', files, maxTokens: row.maxTokens, query, passages };
    const { values: logits } = await this.#perform('cross-encoder', urgency, limits, work);
    return Array.from(logits, (logit) => 1 / (1 + Math.exp(-logit)));
  };

  readonly isBusy = (): boolean => this.#working > 0;

  readonly models = (): ModelState[] => {
    return this.#found.all.map((located) => {
      const { id, role, licence } = located.row;
      return {
        id,
        role,
        licence,
        bytes: located.bytes,
        slot: this.#roleOf(located),
        ...this.#stateOf(located),
      };
    });
  };

  readonly available = <S extends ModelRole>(role: S): RowOf<S> | null => {
    const located = this.#found.roles[role];
    return located && this.#obstacle(located) === null ? located.row : null;
  };

  readonly refresh = async (): Promise<void> => {
    this.#found = await findModels(this.#options, this.#options.modelsDir, this.#bundledDir);
    // A file that did not load gets another try once something changed.
    this.#failures.clear();
    this.#options.onChange();
  };

  readonly fetch = async (id?: string): Promise<void> => {
    if (id !== undefined && !MANIFEST.some((row) => row.id === id))
      throw new DaemonError('not-found', `model ${id}`);
    await this.#firstRefresh;
    const present = new Set(
      this.#found.all.filter(({ state }) => state === 'ready').map(({ row }) => row.id),
    );
    await this.#downloads.fetch(
      MANIFEST.filter((row) => (id === undefined || row.id === id) && !present.has(row.id)),
    );
    if (!this.#closed) await this.refresh();
  };

  readonly close = async (): Promise<void> => {
    this.#closed = true;
    this.#downloads.close();
    this.#queue.close();
    await this.#firstRefresh;
    clearTimeout(this.#idle);
    await this.#stopThreads();
  };

  #startThread(): WorkerThread {
    const { workerUrl, threads, log, onChange } = this.#options;
    return new WorkerThread({
      url: workerUrl,
      threads,
      onLoaded: (key, ms) => {
        this.#loaded.add(key);
        const id = this.#found.all.find(({ files }) => files?.key === key)?.row.id ?? key;
        log(`loaded ${id} in ${Math.round(ms)} ms`);
        onChange();
      },
      onEnded: (reason, keys) => {
        for (const key of keys) this.#loaded.delete(key);
        log(reason ?? 'the models were unloaded');
        onChange();
      },
    });
  }

  #stopThreads(): Promise<unknown> {
    return Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  /** The reason why a model cannot be used; null when it can. */
  #obstacle({ files, detail }: Located): string | null {
    return files ? (this.#failures.get(files.key) ?? null) : detail;
  }

  #ready<S extends ModelRole>(role: S): { row: RowOf<S>; files: CheckedFiles } {
    const located = this.#found.roles[role];
    if (!located) throw new DaemonError('models-missing', `there is no ${role} with that name`);
    const why = this.#obstacle(located);
    if (!located.files || why !== null) throw new DaemonError('models-missing', `${located.row.id}: ${why}`);
    return { row: located.row, files: located.files };
  }

  async #perform(
    role: ModelRole,
    urgency: Urgency,
    { timeoutMs, beginMs }: Limits,
    work: Work,
  ): Promise<Computed> {
    const lane: Lane = role === 'embedder' ? 0 : 1;
    clearTimeout(this.#idle);
    this.#working++;
    try {
      if (urgency === 'query' && waitedMs() > (beginMs ?? Infinity))
        throw new DaemonError('timed-out', 'too many others wait');
      const turn = urgency === 'query' && isInHurry() ? 'hook' : urgency;
      return await this.#queue.add(turn, timeoutMs, () => this.#threads[lane].call(work), lane, beginMs);
    } catch (error) {
      if (error instanceof LoadFailure) throw this.#failed(work, error);
      throw error;
    } finally {
      this.#working--;
      this.#unloadWhenIdle();
    }
  }

  #failed({ files }: Work, { message }: LoadFailure): DaemonError {
    this.#failures.set(files.key, message);
    this.#options.log(`a model cannot be loaded: ${message}`);
    this.#options.onChange();
    return new DaemonError('models-missing', message);
  }

  #unloadWhenIdle(): void {
    const { idleUnloadMs } = this.#options;
    if (this.#working > 0 || idleUnloadMs === 0 || this.#closed) return;
    this.#idle = setTimeout(() => void this.#stopThreads(), idleUnloadMs).unref();
  }

  #stateOf(located: Located): Pick<ModelState, 'state' | 'detail' | 'fetched'> {
    const { row, files, bytes, detail } = located;
    const progress = this.#downloads.progressOf(row.id);
    if (progress !== null) return { state: 'fetching', fetched: progress, detail: 'downloading' };
    if (!files)
      return { state: located.state, fetched: 0, detail: this.#downloads.failureOf(row.id) ?? detail };
    const failure = this.#failures.get(files.key);
    if (failure !== undefined) return { state: 'failed', fetched: bytes, detail: failure };
    return { state: this.#loaded.has(files.key) ? 'loaded' : 'ready', fetched: bytes, detail };
  }

  #roleOf(located: Located): ModelRole | null {
    const roles = ['embedder', 'second-embedder', 'cross-encoder'] as const;
    return roles.find((role) => this.#found.roles[role] === located) ?? null;
  }
}

function embedding(row: RowOf<EmbedderRole>, files: CheckedFiles, text: string): Work {
  const { maxTokens, pooling, id } = row;
  return { kind: 'embed', files, maxTokens, pooling, withTokens: id === TOKEN_MODEL, text };
}

const embeddedOf = ({ values, tokens }: Computed): Embedded => ({ vector: values, tokens });
