import { yieldToOthers } from './turns.ts';

const QUIET = 25; // ms after a request, when the next one is most likely
const LONG_QUIET = 2_000; // ms
const LONGEST_WAIT = 60; // ms; work in the background goes on, however many requests there are
const LOOK_AGAIN = 10; // ms

/**
 * Requests that a person or an agent waits for. Work in the background lets them pass, so that a recall is as fast as
 * without it.
 */
export class Foreground {
  #inside = 0;
  #leftAt = -Infinity;

  async enter<T>(request: () => T | Promise<T>): Promise<T> {
    this.#inside++;
    try {
      return await request();
    } finally {
      this.#inside--;
      this.#leftAt = performance.now();
    }
  }

  /** True when nobody waits for an answer, and none has been asked for a while. */
  isQuiet(): boolean {
    return this.#inside === 0 && performance.now() - this.#leftAt > LONG_QUIET;
  }

  /** Resolves as soon as nobody waits for an answer, and after a moment in any case. */
  async pass(): Promise<void> {
    const giveUpAt = performance.now() + LONGEST_WAIT;
    for (;;) {
      const now = performance.now();
      const freeAt = this.#inside > 0 ? now + LOOK_AGAIN : this.#leftAt + QUIET;
      const wait = Math.min(freeAt, giveUpAt) - now;
      if (wait <= 0) return;
      await yieldToOthers(wait);
    }
  }
}
