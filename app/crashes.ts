const WITHIN_MS = 60_000;
const TOLERATED = 3;

/** Decides whether a page that crashed is loaded again: not once it has crashed too often within a minute. */
export class Crashes {
  #times: number[] = [];

  /** True when the page may be loaded again. */
  tolerates(now: number): boolean {
    this.#times = [...this.#times.filter((time) => now - time < WITHIN_MS), now];
    return this.#times.length <= TOLERATED;
  }

  forget(): void {
    this.#times = [];
  }
}
