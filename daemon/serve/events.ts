import type { DaemonEvent } from '#contract/status.ts';

type Listener = (event: DaemonEvent) => void;

/** Hands what happens to whoever asked for it. */
export class EventHub {
  readonly #listeners = new Set<Listener>();

  /** Returns the way to stop listening. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: DaemonEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
