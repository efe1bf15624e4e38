/** Runs only the last of a burst of calls, once it has been quiet for a while, or after `longestMs` if it never is. */
export function afterQuiet<A extends unknown[]>(
  quietMs: number,
  run: (...input: A) => void,
  longestMs = Infinity,
): (...input: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let burstBegan: number | undefined;
  return (...input) => {
    clearTimeout(timer);
    burstBegan ??= Date.now();
    const leftMs = burstBegan + longestMs - Date.now();
    timer = setTimeout(
      () => {
        burstBegan = undefined;
        run(...input);
      },
      Math.max(0, Math.min(quietMs, leftMs)),
    );
  };
}

/** Runs at once. Of the calls that come while it runs, only the last counts; it runs when the first is done. */
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
