import { fetchModels } from '../../models/fetch-models.ts';
import type { ModelRow } from '../../models/manifest.ts';

interface DownloadOptions {
  modelsDir: string;
  bundledDir: string | null;
  onProgress: () => void;
  log: (line: string) => void;
}

const PROGRESS_EVERY = 250; // ms; often enough for a bar that moves, without flooding every subscriber

/** Downloads models in the background, one request after the other, and knows how each is going. */
export class ModelDownloads {
  readonly #options: DownloadOptions;
  /** Bytes received so far, by model and file. */
  readonly #received = new Map<string, Map<string, number>>();
  readonly #failures = new Map<string, string>();
  readonly #stopping = new AbortController();
  #last: Promise<void> = Promise.resolve();
  #reportedAt = 0;

  constructor(options: DownloadOptions) {
    this.#options = options;
  }

  fetch(rows: readonly ModelRow[]): Promise<void> {
    this.#last = this.#last.then(() => this.#download(rows));
    return this.#last;
  }

  /** The bytes received of a model that is being downloaded, else null. */
  progressOf(id: string): number | null {
    const files = this.#received.get(id);
    return files ? [...files.values()].reduce((sum, bytes) => sum + bytes, 0) : null;
  }

  /** The reason why the last download of a model failed, else null. */
  failureOf(id: string): string | null {
    return this.#failures.get(id) ?? null;
  }

  close(): void {
    this.#stopping.abort();
  }

  async #download(rows: readonly ModelRow[]): Promise<void> {
    const { modelsDir, bundledDir, onProgress, log } = this.#options;
    for (const { id } of rows) this.#received.set(id, new Map());
    onProgress();
    try {
      const outcomes = await fetchModels({
        rows,
        dir: modelsDir,
        bundled: bundledDir,
        signal: this.#stopping.signal,
        onProgress: ({ id, file, received }) => {
          this.#received.get(id)?.set(file, received);
          this.#reportProgress();
        },
      });
      for (const { id, ready, detail } of outcomes) {
        if (ready) this.#failures.delete(id);
        else this.#failures.set(id, detail);
        log(`${id} ${ready ? 'is ready' : 'could not be downloaded'}: ${detail}`);
      }
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const detail = error instanceof Error ? error.message : String(error);
      for (const { id } of rows) this.#failures.set(id, detail);
      log(`downloading models failed: ${detail}`);
    } finally {
      this.#received.clear();
    }
  }

  #reportProgress(): void {
    if (Date.now() - this.#reportedAt < PROGRESS_EVERY) return;
    this.#reportedAt = Date.now();
    this.#options.onProgress();
  }
}
