export interface Waiting {
  mtimeMs: number;
  /** How many bytes are still to be read. */
  bytes: number;
}

/** Files to read: those that an agent is writing to first, then the rest, newest first. */
export class ReadQueue {
  readonly #live = new Map<string, Waiting>();
  readonly #old = new Map<string, Waiting>();
  /** Oldest first; built again after a file was added. Files removed since then are skipped. */
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

  /** The file to read next. While the folders are being scanned, only live files are read. */
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
