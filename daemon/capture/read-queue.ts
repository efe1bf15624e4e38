import type { TranscriptAdapter } from '../transcripts/adapter.ts';

export interface Waiting {
  adapter: TranscriptAdapter;
  mtimeMs: number;
  /** How much of it is still to be read. */
  bytes: number;
}

/** Files to be read: those somebody works in now before all others, the rest newest first. */
export class ReadQueue {
  readonly #live = new Map<string, Waiting>();
  readonly #old = new Map<string, Waiting>();
  /** Oldest first, made anew when a file was added; files since removed are passed over. */
  #order: string[] | null = null;

  add(path: string, waiting: Waiting, live: boolean): void {
    if (this.#live.has(path) || live) {
      this.#old.delete(path);
      this.#live.set(path, waiting);
      return;
    }
    this.#old.set(path, waiting);
    this.#order = null;
  }

  get(path: string): Waiting | undefined {
    return this.#live.get(path) ?? this.#old.get(path);
  }

  delete(path: string): void {
    this.#live.delete(path);
    this.#old.delete(path);
  }

  /** What to read next; while the folders are still looked through, only what is live. */
  next(liveOnly: boolean): string | undefined {
    const [live] = this.#live.keys();
    if (live !== undefined || liveOnly) return live;
    this.#order ??= [...this.#old]
      .toSorted(([, one], [, other]) => one.mtimeMs - other.mtimeMs)
      .map(([path]) => path);
    while (this.#order.length > 0 && !this.#old.has(this.#order.at(-1) ?? '')) this.#order.pop();
    return this.#order.at(-1);
  }

  get size(): number {
    return this.#live.size + this.#old.size;
  }
}
