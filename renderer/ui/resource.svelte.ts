/** One answer as a screen shows it: not yet, here, or failed. The last value stays while a newer one is asked for. */
export class Resource<T> {
  value = $state.raw<T>();
  error = $state.raw<Error>();
  loading = $state(false);
  #turn = 0;

  async load(ask: () => Promise<T>): Promise<void> {
    // A newer question silences an older one, whichever is answered first.
    const turn = ++this.#turn;
    this.loading = true;
    try {
      const value = await ask();
      if (turn !== this.#turn) return;
      this.value = value;
      this.error = undefined;
    } catch (error) {
      if (turn === this.#turn) this.error = asError(error);
    } finally {
      if (turn === this.#turn) this.loading = false;
    }
  }

  clear(): void {
    this.#turn++;
    this.value = undefined;
    this.error = undefined;
    this.loading = false;
  }
}

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
