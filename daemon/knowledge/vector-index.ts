import { DaemonError } from '#contract/errors.ts';
import type { EmbedderRole, Inference } from '../inference/inference.ts';
import { TOKEN_MODEL, tokensToBytes } from '../inference/token-vectors.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import type { Log } from '../platform/log.ts';
import type { WritableDb } from '../store/db.ts';
import { embeddedText } from '../store/search/note-text.ts';
import {
  countVectors,
  ensureVectors,
  putVector,
  type Unembedded,
  unembedded,
  type VectorCounts,
  type VectorTable,
  withoutVector,
} from '../store/search/vectors.ts';
import { NOTE } from '../store/columns.ts';
import { knowledgeVersion } from '../store/learnings/history.ts';

const RETRY = 10_000; // ms

/** Keeps the vectors of one embedder up to date with the notes, in the background, newest first. */
export class VectorIndex {
  readonly #db: WritableDb;
  readonly #inference: Inference;
  readonly role: EmbedderRole;
  #table: VectorTable | null = null;
  readonly #task: BackgroundTask;
  /** Notes that changed since all had a vector, the newest last; null while all must be looked at. */
  #changed: string[] | null = null;
  #generation = 0;
  #counted: { at: string; counts: VectorCounts } | null = null;
  #epoch = 0;
  #isHeld = false;

  constructor(
    db: WritableDb,
    inference: Inference,
    role: EmbedderRole,
    log: Log,
    onFilled: () => void = () => {},
  ) {
    this.#db = db;
    this.#inference = inference;
    this.role = role;
    this.#task = new BackgroundTask({
      retryMs: RETRY,
      work: async (signal) => {
        await this.#fill(signal);
        if (!this.#isHeld) onFilled();
      },
      // The inference has already reported a model that is not available.
      onError: (error) => error instanceof DaemonError || log.error('embedding', error),
    });
  }

  /** The vectors to search; null while the embedder is not available. */
  get table(): VectorTable | null {
    const model = this.#inference.available(this.role);
    if (model && this.#table?.model !== model.id) {
      this.#table = ensureVectors(this.#db, model.id, model.dims, model.id === TOKEN_MODEL);
      this.#changed = null;
    }
    return this.#table;
  }

  /** Grows with every vector, because a new vector may change earlier answers. */
  get generation(): number {
    return this.#generation;
  }

  state(): { vectors: number; waiting: number; state: 'ready' | 'building' | 'lexical-only' } {
    const { table } = this;
    if (!table) return { vectors: 0, waiting: 0, state: 'lexical-only' };
    const counts = this.#count(table);
    return { ...counts, state: counts.waiting > 0 ? 'building' : 'ready' };
  }

  /** Counting 10 000 vectors takes 10 ms, and the status is asked for often: only a change counts again. */
  #count(table: VectorTable): VectorCounts {
    const at = `${table.name} ${this.#generation} ${knowledgeVersion(this.#db)}`;
    if (this.#counted?.at !== at) this.#counted = { at, counts: countVectors(this.#db, table) };
    return this.#counted.counts;
  }

  /** While held, nothing is embedded; what changed meanwhile is embedded afterwards. */
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.wake();
  }

  /** Embeds what is missing, of these notes or, after a model became available, of all. */
  wake(changed?: readonly string[]): void {
    if (changed === undefined) this.#changed = null;
    else this.#changed?.push(...changed);
    this.#task.wake();
  }

  /** The same, resolved when it is done. */
  fill(): Promise<void> {
    this.#changed = null;
    return this.#task.run();
  }

  /** Starts again after the notes were replaced: what is being embedded belongs to none of them. */
  restart(): void {
    this.#epoch++;
    this.#generation++;
    this.wake();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const { table } = this;
    if (!table) return;
    // One at a time, so that a new note comes before the back-fill, and recalls run between any two.
    while (!this.#isHeld) {
      const next = this.#next(table);
      if (!next) return;
      const epoch = this.#epoch;
      const text = embeddedText(NOTE.read(next.note));
      const { vector, tokens } = await this.#inference.readDocument(this.role, text);
      if (signal.aborted) return;
      if (epoch === this.#epoch)
        putVector(this.#db, table, next.seq, vector, tokens && tokensToBytes(tokens));
      this.#generation++;
    }
  }

  /** Looking at all notes takes 10 ms with 10 000 of them, so while notes arrive only those are looked at. */
  #next(table: VectorTable): Unembedded | undefined {
    if (this.#changed === null) {
      const [next] = withoutVector(this.#db, table, 1);
      if (!next) this.#changed = [];
      return next;
    }
    for (let id = this.#changed.at(-1); id !== undefined; id = this.#changed.at(-1)) {
      const next = unembedded(this.#db, table, id);
      if (next) return next; // it stays until it has a vector
      this.#changed.pop();
    }
    return undefined;
  }
}
