import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BackgroundTask } from './background-task.ts';

const LOOK_AFTER = 5_000; // ms
const QUIET = 0.02; // share of the time in which this thread worked
const BURST = 200; // ms of work that leave something worth collecting

/**
 * Gives memory back once a burst of work is over, such as a start, and nobody asks for anything: V8 keeps what the
 * burst needed, over a hundred megabytes at 10 000 learnings, and collects it only when more is needed. At rest no
 * timer runs.
 */
export class Rest {
  readonly #release: () => void;
  readonly #collect = collector();
  readonly #task: BackgroundTask;
  /** As of the last rest, and of the last look. */
  #rested = { active: 0, idle: 0, utilization: 0 };
  #seen = performance.eventLoopUtilization();

  constructor(release: () => void, onError: (error: unknown) => void) {
    this.#release = release;
    this.#task = new BackgroundTask({ work: () => this.#look(), onError });
  }

  /** Work was done: looks whether it is over, now and then until it is. */
  soon(): void {
    this.#task.wake(LOOK_AFTER);
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  #look(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#seen);
    this.#seen = now;
    if (performance.eventLoopUtilization(now, this.#rested).active < BURST) return;
    if (utilization > QUIET) return this.soon();
    this.#release();
    this.#collect();
    this.#rested = this.#seen = performance.eventLoopUtilization(); // this was no burst
  }
}

/** V8's own answer to low memory. Node offers it only behind a flag, which may be set at any time. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
