/** Parts of the daemon that run, to be stopped in reverse order of their start, each awaited. */
export class RunningParts {
  readonly #stops: Array<{ name: string; stop: () => unknown }> = [];

  add(name: string, stop: () => unknown): void {
    this.#stops.push({ name, stop });
  }

  /** A part that fails to stop is reported; the others are still stopped. */
  async stop(onError: (name: string, error: unknown) => void): Promise<void> {
    for (const { name, stop } of this.#stops.splice(0).toReversed()) {
      try {
        await stop();
      } catch (error) {
        onError(name, error);
      }
    }
  }
}
