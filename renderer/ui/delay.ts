/** Runs only the last of a burst of calls, once it has been quiet for a while. */
export function afterQuiet<A extends unknown[]>(
  quietMs: number,
  run: (...input: A) => void,
): (...input: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...input) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...input), quietMs);
  };
}

/** Runs at once; of the calls that come while it runs, only the last is heeded, when it is done. */
export function oneAtATime(run: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const start = async () => {
    isRunning = true;
    try {
      do {
        isWanted = false;
        await run();
      } while (isWanted);
    } finally {
      isRunning = false;
    }
  };
  return () => {
    if (isRunning) isWanted = true;
    else void start();
  };
}
