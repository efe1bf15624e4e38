import { fetchModels } from '../../models/fetch-models.ts';
import type { ModelRow } from '../../models/manifest.ts';

interface Options {
  modelsDir: string;
  bundledDir: string | null;
  onProgress: () => void;
  log: (line: string) => void;
}

// Often enough for a bar that moves, seldom enough not to flood every subscriber.
const PROGRESS_EVERY_MS = 250;

/** Downloads in the background, one after the other, and what is to be said about them. */
export function createFetching({ modelsDir, bundledDir, onProgress, log }: Options) {
  const received = new Map<string, Map<string, number>>();
  const failures = new Map<string, string>();
  const stopped = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let toldAt = 0;

  async function run(rows: readonly ModelRow[]): Promise<void> {
    for (const { id } of rows) received.set(id, new Map());
    onProgress();
    try {
      const outcomes = await fetchModels({
        rows,
        dir: modelsDir,
        bundled: bundledDir,
        signal: stopped.signal,
        onProgress(progress) {
          received.get(progress.id)?.set(progress.file, progress.received);
          if (Date.now() - toldAt < PROGRESS_EVERY_MS) return;
          toldAt = Date.now();
          onProgress();
        },
      });
      for (const { id, ready, detail } of outcomes) {
        if (ready) failures.delete(id);
        else failures.set(id, detail);
        log(`${id} ${ready ? 'is here' : 'could not be fetched'}: ${detail}`);
      }
    } catch (error) {
      if (stopped.signal.aborted) return;
      const detail = error instanceof Error ? error.message : String(error);
      for (const row of rows) failures.set(row.id, detail);
      log(`fetching models failed: ${detail}`);
    } finally {
      received.clear();
    }
  }

  return {
    fetch(rows: readonly ModelRow[]): Promise<void> {
      last = last.then(() => run(rows));
      return last;
    },
    /** Bytes of a model that is being fetched, else null. */
    progressOf(id: string): number | null {
      const files = received.get(id);
      return files ? [...files.values()].reduce((sum, bytes) => sum + bytes, 0) : null;
    },
    /** Why the last attempt brought nothing. */
    failureOf: (id: string): string | null => failures.get(id) ?? null,
    close: () => stopped.abort(),
  };
}
