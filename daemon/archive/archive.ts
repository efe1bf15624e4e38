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
import { importArchive, inspectArchive } from './import.ts';
import type { ArchiveParts, Tell } from './turns.ts';

const TOLD_EVERY = 200; // ms

interface Options extends ArchiveParts {
  onProgress: (progress: ArchiveProgress) => void;
  /** Told when all that was known may be other than it was. */
  onImported: (mode: ImportMode) => void;
}

/** The knowledge base as one file, out and in (C5). One at a time: two would prepare for what the other changes. */
export class Archive {
  readonly #options: Options;
  #job: ArchiveProgress['job'] | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  preview(): ArchivePreview {
    return previewExport(this.#options);
  }

  export(path: string, replace: boolean): Promise<Exported> {
    return this.#alone('export', async (tell) => {
      const { version: _, ...exported } = await exportArchive(this.#options, path, { replace, tell });
      return exported;
    });
  }

  inspect(path: string): Promise<Inspected> {
    return this.#alone('inspect', (tell) => inspectArchive(this.#options, path, tell));
  }

  import(path: string, mode: ImportMode): Promise<Imported> {
    return this.#alone('import', async (tell) => {
      const imported = await importArchive(this.#options, path, mode, tell);
      this.#options.onImported(mode);
      return imported;
    });
  }

  async #alone<T>(job: ArchiveProgress['job'], work: (tell: Tell) => Promise<T>): Promise<T> {
    if (this.#job) throw new DaemonError('conflict', `an ${this.#job} is under way; wait until it is done`);
    this.#job = job;
    try {
      return await work(this.#teller(job));
    } finally {
      this.#job = null;
    }
  }

  /** Nobody can read faster. */
  #teller(job: ArchiveProgress['job']): Tell {
    let last = 0;
    return (step, done, total) => {
      if (performance.now() - last < TOLD_EVERY) return;
      last = performance.now();
      this.#options.onProgress({ job, step, done, total });
    };
  }
}
