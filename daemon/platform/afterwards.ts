interface Options {
  onError: (error: unknown) => void;
  /** Does several at once, if that is cheaper than one after another. */
  together?: (work: () => void) => void;
}

/** Bookkeeping beside answers, done once they are sent: whoever asked does not wait for it. */
export class Afterwards {
  readonly #waiting: Array<() => void> = [];
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  add(work: () => void): void {
    // Before the next request is read: what a client did, it finds recorded when it asks again.
    if (this.#waiting.push(work) === 1) setImmediate(() => this.finish());
  }

  finish(): void {
    const waiting = this.#waiting.splice(0);
    const { together = (work: () => void) => work() } = this.#options;
    const all = () => {
      for (const work of waiting) this.#attempt(work);
    };
    this.#attempt(waiting.length > 1 ? () => together(all) : all);
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
