import type { Note, NoteInput } from '#contract/entities.ts';
import type { Log } from '../../platform/log.ts';
import { asOneUnit, type Saved, type Store } from '../../store/learnings/write.ts';
import { settleTrace, type StoredTrace, traceToWrite } from '../../store/outcomes/traces.ts';
import { reflectionNote } from './reflection.ts';

export interface ReflectorParts {
  store: Store;
  log: Log;
  /** The configured writer; null when it has nothing to say. */
  word(trace: StoredTrace): Promise<NoteInput | null>;
  /** Takes a note into the knowledge base. */
  keep(note: Note, reason: string): Saved;
}

/** Writes what runs teach once they are judged, one after another. What a stop interrupts is written after the next start. */
export class Reflector {
  readonly #parts: ReflectorParts;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(parts: ReflectorParts) {
    this.#parts = parts;
  }

  /** Something may be waiting; resolves when nothing is. */
  run(): Promise<void> {
    this.#running ??= this.#writeAll().finally(() => (this.#running = null));
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #writeAll(): Promise<void> {
    const { store, log } = this.#parts;
    for (let trace = traceToWrite(store.db); trace && !this.#stopped; trace = traceToWrite(store.db)) {
      try {
        await this.#write(trace);
      } catch (error) {
        if (this.#stopped) return;
        settleTrace(store.db, trace.id, { problem: error instanceof Error ? error.message : String(error) });
        log.error(`writing what ${trace.id} teaches`, error);
      }
    }
  }

  async #write(trace: StoredTrace): Promise<void> {
    const { store, word, keep } = this.#parts;
    const note = reflectionNote(trace, await word(trace));
    if (this.#stopped) return;
    asOneUnit(store, () =>
      settleTrace(store.db, trace.id, {
        memoryId: keep(note, `the run ${trace.id} ${trace.result === 'pass' ? 'passed' : 'failed'}`).learning
          .id,
      }),
    );
  }
}
