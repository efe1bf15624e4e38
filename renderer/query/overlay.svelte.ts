interface Patch<T> {
  apply: (value: T) => T;
  /** The last question asked before the daemon confirmed the change; null until it has. */
  confirmedAfter: number | null;
}

/**
 * An answer of the daemon with local changes shown on top of it. A change disappears when it is refused, or when an
 * answer arrives that was asked for after it was confirmed. Neither touches the answer itself, so a rollback cannot
 * overwrite a newer one.
 */
export class Overlay<T> {
  #answer = $state.raw<T>();
  #patches = $state.raw<readonly Patch<T>[]>([]);
  #asked = 0;

  // Not a `$derived`: created inside an effect it would belong to it, and stay at its old value once that effect runs
  // again.
  get value(): T | undefined {
    return this.#answer === undefined
      ? undefined
      : this.#patches.reduce<T>((value, { apply }) => apply(value), this.#answer);
  }

  /** To be called when a question is sent; its number comes back with the answer. */
  begin(): number {
    return ++this.#asked;
  }

  receive(question: number, answer: T): void {
    this.#answer = answer;
    this.#patches = this.#patches.filter(
      ({ confirmedAfter }) => confirmedAfter === null || question <= confirmedAfter,
    );
  }

  /** Completes the answer with more of the same, such as another page. */
  amend(complete: (answer: T) => T): void {
    if (this.#answer !== undefined) this.#answer = complete(this.#answer);
  }

  /** Shows a change at once, while the daemon carries it out. */
  async change<R>(apply: (value: T) => T, work: () => Promise<R>): Promise<R> {
    const patch: Patch<T> = { apply, confirmedAfter: null };
    this.#patches = [...this.#patches, patch];
    try {
      const result = await work();
      patch.confirmedAfter = this.#asked;
      return result;
    } catch (error) {
      this.#patches = this.#patches.filter((other) => other !== patch);
      throw error;
    }
  }

  /** Shows what the daemon has already confirmed in another reply. */
  put(apply: (value: T) => T): void {
    this.#patches = [...this.#patches, { apply, confirmedAfter: this.#asked }];
  }
}
