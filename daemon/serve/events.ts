import type { DaemonEvent } from '#contract/status.ts';

type Listener = (event: DaemonEvent) => void;

/** Passes events on to subscribers. */
export class EventHub {
  readonly #listeners = new Set<Listener>();

  /** Returns a function that unsubscribes. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: DaemonEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
