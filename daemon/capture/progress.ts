/** Progress of reading existing transcripts. */
export interface ReadProgress {
  filesDone: number;
  filesTotal: number;
  bytesDone: number;
  bytesTotal: number;
  /** The agent whose transcript is being read. */
  agent: string;
  bytesPerSecond: number;
}

export const NOTHING_READ: Readonly<ReadProgress> = {
  filesDone: 0,
  filesTotal: 0,
  bytesDone: 0,
  bytesTotal: 0,
  agent: '',
  bytesPerSecond: 0,
};

/** Adds up one stretch of work, from the first file that waits to the last one read. */
export class ProgressCount {
  readonly #waiting = new Set<string>();
  #now: ReadProgress = { ...NOTHING_READ };
  #busyMs = 0;
  #since: number | null = null;

  found(path: string, bytes: number): void {
    if (this.#waiting.size === 0) this.#reset();
    if (this.#waiting.has(path)) return;
    this.#waiting.add(path);
    this.#now.filesTotal++;
    this.#now.bytesTotal += bytes;
  }

  read(agent: string, bytes: number): void {
    this.#now.agent = agent;
    this.#now.bytesDone += bytes;
    // A file that grows while it is read has more to read than was known.
    this.#now.bytesTotal = Math.max(this.#now.bytesTotal, this.#now.bytesDone);
  }

  done(path: string): void {
    if (this.#waiting.delete(path)) this.#now.filesDone++;
  }

  /** Speed is counted while there is something to do and nobody paused it. */
  setBusy(busy: boolean, now: number): void {
    if (this.#since !== null) this.#busyMs += now - this.#since;
    this.#since = busy ? now : null;
  }

  at(now: number): ReadProgress {
    const ms = this.#busyMs + (this.#since === null ? 0 : now - this.#since);
    return { ...this.#now, bytesPerSecond: ms > 0 ? Math.round((this.#now.bytesDone / ms) * 1_000) : 0 };
  }

  #reset(): void {
    this.#now = { ...NOTHING_READ };
    this.#busyMs = 0;
  }
}
