import { Note } from '#contract/entities.ts';
import { learn } from '../knowledge/revise.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../store/learning-write.ts';
import { failWindow, leaseWindow, type LeasedWindow, learningFromChunk, nextDrainAt, settleWindow } from '../store/windows.ts';
import { carryOutEffects } from './effects.ts';
import type { WindowPayload } from './intake.ts';
import { engineering } from './modes/engineering.ts';
import type { DrainedWindow, Writer } from './writer.ts';

const ATTEMPTS = 3;
const RETRY = 30_000; // ms, doubled with every attempt

/** Empties the queue of windows, one at a time, whenever there is something in it. */
export class Drain {
  readonly #store: Store;
  readonly #writer: Writer;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(store: Store, writer: Writer, log: Log) {
    this.#store = store;
    this.#writer = writer;
    this.#log = log;
  }

  /** Something may be in the queue: work on it when it is due. */
  wake(): void {
    clearTimeout(this.#timer);
    const due = this.#stopped ? null : nextDrainAt(this.#store.db);
    if (due === null) return;
    this.#timer = setTimeout(() => void this.run(), Math.max(0, due - this.#store.now()));
  }

  /** Drains what is due now. */
  run(): Promise<void> {
    this.#running ??= this.#empty().finally(() => {
      this.#running = null;
      this.wake();
    });
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #empty(): Promise<void> {
    while (!this.#stopped) {
      const leased = leaseWindow(this.#store.db, this.#store.now());
      if (!leased) return carryOutEffects(this.#store);
      try {
        await this.#drain(leased);
      } catch (error) {
        const retryAt = leased.attempts < ATTEMPTS ? this.#store.now() + RETRY * 2 ** leased.attempts : null;
        failWindow(this.#store.db, leased.id, error instanceof Error ? error.message : String(error), retryAt);
        this.#log.error(`draining window ${leased.id}`, error);
      }
    }
  }

  async #drain(leased: LeasedWindow): Promise<void> {
    const { db } = this.#store;
    const twin = learningFromChunk(db, leased.chunkHash);
    if (twin) return settleWindow(db, leased.id, 'duplicate', twin);
    const { payload, ...row } = leased;
    const window: DrainedWindow = { ...row, ...(JSON.parse(payload) as WindowPayload) };
    const written = await this.#writer.write(window, engineering, []);
    if (!written) return settleWindow(db, leased.id, 'dismissed', null);
    const { learning } = learn(this.#store, Note.parse({ ...written, ...origin(window) }), `noticed by ${leased.signal}`, this.#writer.name);
    settleWindow(db, leased.id, 'kept', learning.id);
  }
}

/** Where a note belongs and comes from is decided by its record, never by what a writer says. */
function origin({ project, branch, agent, transcript, session, chunkHash, span, quote }: DrainedWindow) {
  return {
    project, branch,
    provenance: { agent, transcript, session, chunk: chunkHash, spanStart: span.start, spanEnd: span.end, quote: quote.slice(0, 1_000) },
  };
}
