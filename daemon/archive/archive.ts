import type {
  ArchivePreview,
  ArchiveProgress,
  Exported,
  Imported,
  ImportMode,
  Inspected,
} from '#contract/archive.ts';
import { DaemonError } from '#contract/errors.ts';
import { exportArchive, previewExport } from './export.ts';
import { importArchive, inspectArchive, resumeMerge } from './import.ts';
import { pendingMerge } from '../store/archive/ingest.ts';
import type { ArchiveParts, ReportProgress } from './archive-parts.ts';

const REPORT_EVERY = 200; // ms

interface Options extends ArchiveParts {
  onProgress: (progress: ArchiveProgress) => void;
  /** Does an import in such a way that others are not kept waiting. */
  importing: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called when anything in the store may have changed. */
  onImported: (mode: ImportMode) => void;
}

/**
 * Exports and imports the knowledge base as one file (C5). Only one job runs at a time, because two would change each
 * other's data.
 */
export class Archive {
  readonly #options: Options;
  #job: ArchiveProgress['job'] | null = null;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
  }

  preview(): ArchivePreview {
    return previewExport(this.#options);
  }

  export(path: string, options: { replace: boolean; sign?: boolean }): Promise<Exported> {
    return this.#alone('export', async (report) => {
      const { version: _, ...exported } = await exportArchive(this.#options, path, { ...options, report });
      return exported;
    });
  }

  inspect(path: string): Promise<Inspected> {
    return this.#alone('inspect', (report) => inspectArchive(this.#options, path, report));
  }

  import(path: string, mode: ImportMode, mine: boolean): Promise<Imported> {
    return this.#alone('import', async (report) => {
      const imported = await this.#options.importing(() =>
        importArchive(this.#options, path, mode, report, { mine }),
      );
      this.#options.onImported(mode);
      return imported;
    });
  }

  /** Continues a merge that the last stop or a crash interrupted. */
  resume(): Promise<void> {
    return this.#alone('import', async (report) => {
      if (!pendingMerge(this.#options.store.db)) return;
      const resumed = await this.#options.importing(() => resumeMerge(this.#options, report));
      if (resumed) this.#options.onImported('merge');
    });
  }

  async #alone<T>(job: ArchiveProgress['job'], work: (report: ReportProgress) => Promise<T>): Promise<T> {
    this.#options.signal.throwIfAborted();
    if (this.#job) throw new DaemonError('conflict', `an ${this.#job} is running; wait until it is done`);
    this.#job = job;
    const running = work(this.#reporter(job)).finally(() => (this.#job = null));
    this.#running = running.catch(() => {}); // the caller receives the error
    return running;
  }

  /** Resolves when the running job has ended; aborting the signal ends it early. */
  async stop(): Promise<void> {
    await this.#running;
  }

  /** Limits progress reports to a rate that a person can read. */
  #reporter(job: ArchiveProgress['job']): ReportProgress {
    let last = 0;
    return (step, done, total) => {
      if (performance.now() - last < REPORT_EVERY) return;
      last = performance.now();
      this.#options.onProgress({ job, step, done, total });
    };
  }
}
