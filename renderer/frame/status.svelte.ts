import type { DaemonStatus } from '#contract/entities.ts';
import type { Call } from '#contract/methods.ts';
import type { ClientEvent } from '../daemon.ts';
import { afterQuiet } from '../ui/delay.ts';
import { Resource } from '../ui/resource.svelte.ts';
import { type Sample, sampleOf, withSample } from './samples.ts';

const EVERY_MS = 5_000;

/** What the daemon is doing, for the status line and every page that shows a number. */
export class StatusState {
  readonly #call: Call;
  readonly #resource = new Resource<DaemonStatus>();
  /** What was measured lately, for charts. */
  samples = $state.raw<Sample[]>([]);
  readonly #refreshSoon = afterQuiet(250, () => void this.refresh());

  constructor(call: Call) {
    this.#call = call;
  }

  get value(): DaemonStatus | undefined {
    return this.#resource.value;
  }

  get error(): Error | undefined {
    return this.#resource.error;
  }

  async refresh(): Promise<void> {
    await this.#resource.load(async () => {
      const status = await this.#call('status', {});
      this.samples = withSample(this.samples, sampleOf(status, Date.now()));
      return status;
    });
  }

  /** Keeps asking; returns how to stop. */
  follow(): () => void {
    void this.refresh();
    const timer = setInterval(() => void this.refresh(), EVERY_MS);
    return () => clearInterval(timer);
  }

  onEvent(event: ClientEvent): void {
    // Progress comes several times a second and says all there is to know.
    const reading = event.type === 'capture.progress' && event.progress.filesDone < event.progress.filesTotal;
    if (reading && this.value?.capture === 'back-filling')
      this.#resource.value = { ...this.value, progress: event.progress };
    else this.#refreshSoon();
  }

  async setCapturing(capturing: boolean): Promise<void> {
    await this.#call(capturing ? 'capture.resume' : 'capture.pause', {});
    await this.refresh();
  }
}
