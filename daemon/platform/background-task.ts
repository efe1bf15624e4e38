import { DaemonError } from '#contract/errors.ts';

const FIRST_RETRY = 1_000; // ms
const LONGEST_RETRY = 5 * 60_000; // ms
const LONGEST_TIMER = 2 ** 31 - 1; // ms; a longer timer would fire at once

export interface TaskOptions<Result> {
  /** One run. It returns early once the signal is aborted. */
  work: (signal: AbortSignal) => Result | Promise<Result>;
  /** After each run: in how many milliseconds the next is due, or null to rest until woken. */
  next?: () => number | null;
  /** How long `wake` waits for further wakes, in milliseconds. */
  settleMs?: number;
  /** The wait after the first failure, in milliseconds; it doubles with each further one. */
  retryMs?: number;
  /** The longest such wait. */
  longestRetryMs?: number;
  /** True where many machines retry the same thing: each then waits a random share of the time. */
  scatters?: boolean;
  /** Called for every run that fails; a run that a stop interrupted has not failed. */
  onError: (error: unknown) => void;
}

/**
 * The one way to work in the background: runs when woken, never twice at a time, backs off after failures, and rests
 * without a timer. After `stop` nothing starts, and what runs has ended when `stop` resolves.
 */
export class BackgroundTask<Result = void> {
  readonly #options: TaskOptions<Result>;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Infinity;
  #running: Promise<Result> | null = null;
  #queued: Promise<Result> | null = null;
  #failures = 0;

  constructor(options: TaskOptions<Result>) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Schedules a run, now or after a delay; of several wakes the earliest counts, and none shortens a back-off. */
  wake(delayMs = this.#options.settleMs ?? 0): void {
    if (this.#failures > 0 && this.#timer) return;
    this.#schedule(delayMs);
  }

  /** Runs now and returns the result. Calls during a run share the run that follows it. */
  run(): Promise<Result> {
    if (this.signal.aborted) return Promise.reject(this.signal.reason as Error);
    if (!this.#running) return this.#start();
    const runAgain = () => {
      this.#queued = null;
      return this.run();
    };
    this.#queued ??= this.#running.then(runAgain, runAgain);
    return this.#queued;
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new DaemonError('unreachable', 'Reflect was stopped'));
    clearTimeout(this.#timer);
    await this.#running?.catch(() => {}); // reported by the run itself
  }

  #schedule(delayMs: number): void {
    const dueAt = performance.now() + delayMs;
    if (this.signal.aborted || this.#dueAt <= dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => this.#fire(), Math.min(delayMs, LONGEST_TIMER)).unref();
  }

  #fire(): void {
    this.#clearTimer();
    // A wake during a run means there is new work, so another run follows.
    this.run().catch(() => {}); // reported by the run itself
  }

  #start(): Promise<Result> {
    this.#clearTimer();
    const running = Promise.resolve().then(() => this.#work());
    this.#running = running;
    return running;
  }

  async #work(): Promise<Result> {
    const { work, next, onError } = this.#options;
    try {
      this.signal.throwIfAborted();
      const result = await work(this.signal);
      this.#failures = 0;
      const delayMs = this.signal.aborted ? null : (next?.() ?? null);
      if (delayMs !== null) this.#schedule(Math.max(0, delayMs));
      return result;
    } catch (error) {
      if (!this.signal.aborted) {
        onError(error);
        this.#backOff();
      } else if (error !== this.signal.reason) onError(error);
      throw error;
    } finally {
      this.#running = null;
    }
  }

  #backOff(): void {
    const { retryMs = FIRST_RETRY, longestRetryMs = LONGEST_RETRY, scatters = false } = this.#options;
    this.#clearTimer();
    const wait = Math.min(retryMs * 2 ** this.#failures, Math.max(retryMs, longestRetryMs));
    this.#schedule(scatters ? wait * (0.5 + Math.random() / 2) : wait);
    this.#failures++;
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dueAt = Infinity;
  }
}
