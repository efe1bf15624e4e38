import { AsyncLocalStorage } from 'node:async_hooks';

const AT_ONCE = 4;
const caller = new AsyncLocalStorage<object>();

/** Runs work that this client asked for, so that the turnstile can tell clients apart. */
export const asCaller = <T>(client: object, work: () => T): T => caller.run(client, work);

/**
 * Lets a few requests through at a time: of each client in the order in which they came, and of the clients by turns,
 * so that one that asks 200 questions does not make the next wait for them all. Between two requests whoever does not
 * have to queue gets a turn.
 */
export class Turnstile {
  #inside = 0;
  /** By client, the one whose turn is next first. */
  readonly #waiting = new Map<object, Array<() => void>>();

  /** `work` is told how long it waited, in milliseconds. */
  async pass<T>(work: (waitedMs: number) => T | Promise<T>): Promise<T> {
    const came = performance.now();
    const hasToWait = this.#inside >= AT_ONCE;
    if (hasToWait) await new Promise<void>((enter) => this.#queue(enter));
    else this.#inside++;
    try {
      return await work(hasToWait ? performance.now() - came : 0);
    } finally {
      setImmediate(() => this.#leave());
    }
  }

  #queue(enter: () => void): void {
    const client = caller.getStore() ?? {};
    this.#waiting.set(client, [...(this.#waiting.get(client) ?? []), enter]);
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#inside--;
      return;
    }
    const [client, [enter, ...others]] = next;
    this.#waiting.delete(client);
    if (others.length > 0) this.#waiting.set(client, others); // behind the other clients
    enter?.();
  }
}
