import { mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import { BackgroundTask } from '../platform/background-task.ts';
import type { Log } from '../platform/log.ts';
import { type TreeWatch, watchTree } from '../platform/watch-tree.ts';
import { isVisible } from '../store/learnings/documents.ts';
import type { Store } from '../store/learnings/write.ts';
import { ingestInTurns, rescanDocuments } from './hand-edits.ts';

const QUIET = 150; // ms; an editor saves in several steps, and the two files of a note are two steps too
const FALLBACK_POLL = 10_000; // ms; where the system reports no changes

/** Ingests what a person does to the note files while the daemon runs. */
export async function watchDocuments(store: Store, log: Log): Promise<{ close(): Promise<void> }> {
  const watching = new DocumentWatch(store, log);
  await watching.open();
  return watching;
}

class DocumentWatch {
  readonly #store: Store;
  readonly #log: Log;
  readonly #changed = new Set<string>();
  readonly #ingesting: BackgroundTask;
  #watch: TreeWatch | null = null;
  #isUnwatchable = false;

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#ingesting = new BackgroundTask({
      settleMs: QUIET,
      work: (signal) => this.#ingest(signal),
      next: () => (this.#watch ? null : FALLBACK_POLL),
      onError: (error) => log.error('reading changed notes', error),
    });
  }

  async open(): Promise<void> {
    mkdirSync(this.#store.documents, { recursive: true, mode: 0o700 });
    try {
      this.#watch = await watchTree(this.#store.documents, [], {
        changed: (paths) => this.#note(paths),
        gone: (paths) => this.#note(paths),
        ended: (error) => this.#ended(error),
      });
      this.#isUnwatchable = false;
    } catch (error) {
      this.#ingesting.wake(FALLBACK_POLL);
      if (this.#isUnwatchable) return;
      this.#isUnwatchable = true;
      const seconds = FALLBACK_POLL / 1_000;
      this.#log.error(`the notes cannot be watched; they are read every ${seconds} s instead`, error);
    }
  }

  async close(): Promise<void> {
    await this.#ingesting.stop();
    this.#watch?.close();
  }

  #note(paths: string[]): void {
    for (const path of paths) {
      const place = relative(this.#store.documents, path);
      const note = place.replace(/\.entities\.yaml$/, '.md');
      if (isVisible(place) && note.endsWith('.md')) this.#changed.add(note);
    }
    if (this.#changed.size > 0) this.#ingesting.wake();
  }

  /** Events were lost: only reading all notes again finds what they would have reported. */
  #ended(error: Error): void {
    this.#watch = null;
    this.#log.error('watching the notes', error);
    this.#ingesting.wake();
  }

  async #ingest(signal: AbortSignal): Promise<void> {
    if (!this.#watch) {
      await this.open();
      await rescanDocuments(this.#store, signal);
      return;
    }
    const paths = [...this.#changed];
    this.#changed.clear();
    await ingestInTurns(this.#store, paths, signal);
  }
}
