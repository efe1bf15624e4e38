import type { DaemonEvent } from '#contract/status.ts';

type Listener = (event: DaemonEvent) => void;

/** Passes events on to subscribers. */
export class EventHub {
  readonly #listeners = new Set<Listener>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A listener that throws is reported; the others still get the event, and its emitter goes on. */
  emit(event: DaemonEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
