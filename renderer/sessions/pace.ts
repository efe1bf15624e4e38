const KNOWN_AFTER_MS = 5_000;

/** How fast a queue gets shorter, judged from when it was longest. */
export class Pace {
  #longest = { left: 0, at: 0 };

  /** The share that is done and the minutes left, unless it is too early to tell. */
  of(left: number, at: number): { share: number; minutes: number | null } {
    if (left >= this.#longest.left) this.#longest = { left, at };
    const done = this.#longest.left - left;
    const ms = at - this.#longest.at;
    return {
      share: done / Math.max(1, this.#longest.left),
      minutes: done === 0 || ms < KNOWN_AFTER_MS ? null : (left * ms) / done / 60_000,
    };
  }
}
