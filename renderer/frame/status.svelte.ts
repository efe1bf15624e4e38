import type { DaemonStatus } from '#contract/status.ts';
import type { Queries, Resource, Scope } from '../query/queries.svelte.ts';
import { withTilde } from '../ui/format.ts';
import { type Sample, sampleOf, withSample } from './samples.ts';

const EVERY_MS = 5_000;
/** The part of the window that every page has. */
export const FRAME = 'frame';

/** The daemon's status, for the status line and every page that shows a number. */
export class StatusState {
  readonly #scope: Scope;
  readonly #status: Resource<'status'>;
  /** The last measurements, for charts. */
  samples = $state.raw<Sample[]>([]);

  constructor(queries: Queries) {
    this.#scope = queries.scope(FRAME, 250);
    this.#status = this.#scope.resource('status', () => this.#sample());
    this.#scope.onEvent((event) => {
      if (event.type !== 'capture.progress') return;
      const { progress } = event;
      // Progress comes several times a second and says all there is to know.
      const isReading = progress.filesDone < progress.filesTotal;
      if (isReading && this.value?.capture === 'back-filling')
        this.#status.put((status) => ({ ...status, progress }));
      else this.#status.refetchSoon();
    });
  }

  get value(): DaemonStatus | undefined {
    return this.#status.value;
  }

  get error(): Error | undefined {
    return this.#status.error;
  }

  /** A path as people write it. */
  shown(path: string): string {
    return withTilde(path, this.value?.userHome);
  }

  refresh(): Promise<void> {
    return this.#status.ask({});
  }

  /** Keeps asking; returns how to stop. */
  follow(): () => void {
    void this.refresh();
    const timer = setInterval(() => void (this.#scope.isShown && this.refresh()), EVERY_MS);
    return () => clearInterval(timer);
  }

  async setCapturing(capturing: boolean): Promise<void> {
    await this.#scope.call(capturing ? 'capture.resume' : 'capture.pause', {});
    await this.#status.refetch();
  }

  #sample(): void {
    if (this.value) this.samples = withSample(this.samples, sampleOf(this.value, Date.now()));
  }
}
