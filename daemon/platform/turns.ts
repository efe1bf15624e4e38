const SLICE = 3; // ms; a request waits no longer than this plus one step
const LONGEST_REST = 50; // ms; a step that waited for a model did not block anyone

/** Lets other waiting work run first, for at least this many milliseconds. */
export const yieldToOthers = (ms = 0): Promise<void> =>
  new Promise((resolve) => (ms > 0 ? setTimeout(resolve, ms) : setImmediate(resolve)));

interface Pace {
  /** False when a person waits for the work: other work then gets a turn, but no pause as long as the slice. */
  rests?: boolean;
  /** Requests that go first; their `pass` resolves at once when there are none. */
  foreground?: { pass(): Promise<void> } | undefined;
}

/** Paces long work: `next` between two steps leaves other work as much time as the slice before it took. */
export class Turns {
  readonly #signal: AbortSignal;
  readonly #rests: boolean;
  readonly #foreground: Pace['foreground'];
  #started = performance.now();

  constructor(signal: AbortSignal, { rests = true, foreground }: Pace = {}) {
    this.#signal = signal;
    this.#rests = rests;
    this.#foreground = foreground;
  }

  /** Throws the signal's reason once it is aborted. */
  async next(): Promise<void> {
    this.#signal.throwIfAborted();
    const worked = performance.now() - this.#started;
    if (worked < SLICE) return;
    await yieldToOthers(this.#rests ? Math.min(worked, LONGEST_REST) : 0);
    await this.#foreground?.pass();
    this.#signal.throwIfAborted();
    this.#started = performance.now();
  }
}

/** Runs a generator to its end, in turns with other work; `onStep` receives what it yields. */
export async function inTurns<Step, Result>(
  steps: Generator<Step, Result>,
  signal: AbortSignal,
  { onStep, ...pace }: Pace & { onStep?: (step: Step) => void } = {},
): Promise<Result> {
  const turns = new Turns(signal, pace);
  try {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      onStep?.(value);
      await turns.next();
    }
  } finally {
    steps.return(undefined as Result); // an aborted generator closes its files; at its end this does nothing
  }
}

/** The same without turns, where nothing else waits. */
export function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
