import type { Call, Input, Method, Output } from '#contract/methods.ts';
import { asError } from '../ui/error.ts';
import { Overlay } from './overlay.svelte.ts';

/** One answer, shared by all who show it: asked for once at a time, and kept. */
export class Entry<M extends Method> {
  readonly method: M;
  readonly input: Input<M>;
  readonly overlay = new Overlay<Output<M>>();
  readonly #call: Call;
  #listeners: readonly (() => void)[] = [];
  error = $state.raw<Error>();
  loading = $state(false);
  isStale = false;
  #asking: Promise<void> | undefined;
  #askingAgain: Promise<void> | undefined;

  constructor(call: Call, method: M, input: Input<M>) {
    this.#call = call;
    this.method = method;
    this.input = input;
  }

  get isWatched(): boolean {
    return this.#listeners.length > 0;
  }

  onAnswer(listener: () => void): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  /** Joins the question under way; when that became stale meanwhile, asks once more after it. */
  ask(): Promise<void> {
    if (!this.#asking) return this.#start();
    if (!this.isStale) return this.#asking;
    return (this.#askingAgain ??= this.#asking.then(() => {
      this.#askingAgain = undefined;
      return this.#start();
    }));
  }

  #start(): Promise<void> {
    this.isStale = false;
    this.loading = true;
    return (this.#asking = this.#run(this.overlay.begin()));
  }

  async #run(question: number): Promise<void> {
    try {
      this.overlay.receive(question, await this.#call(this.method, this.input));
      this.error = undefined;
    } catch (error) {
      this.error = asError(error);
    } finally {
      this.#asking = undefined;
      this.loading = false;
    }
    if (!this.error) for (const listener of this.#listeners) listener();
  }
}
