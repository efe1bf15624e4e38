/** Bookkeeping that runs after an answer is sent, so that the client does not wait for it. */
export class Afterwards {
  readonly #waiting: Array<() => void> = [];
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(work: () => void): void {
    // Before the next request is read: what a client did, it finds recorded when it asks again.
    if (this.#waiting.push(work) === 1) setImmediate(() => this.finish());
  }

  finish(): void {
    for (const work of this.#waiting.splice(0)) {
      try {
        work();
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
