const AT_ONCE = 4;

/**
 * Lets a few requests through at a time, in the order in which they came. Between two of them whoever does not have to queue
 * gets a turn: without it, a hook that comes after 200 questions would wait for them all.
 */
export class Turnstile {
  #inside = 0;
  readonly #waiting: Array<() => void> = [];

  /** `work` is told how long it waited, in milliseconds. */
  async pass<T>(work: (waitedMs: number) => T | Promise<T>): Promise<T> {
    const came = performance.now();
    const hasToWait = this.#inside >= AT_ONCE;
    if (hasToWait) await new Promise<void>((enter) => this.#waiting.push(enter));
    else this.#inside++;
    try {
      return await work(hasToWait ? performance.now() - came : 0);
    } finally {
      setImmediate(() => this.#leave());
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#inside--;
  }
}
