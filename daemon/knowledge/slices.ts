const SLICE = 3; // ms; a question waits no longer than this and one step

/** Takes steps in slices and leaves others at least as long after each, until all are done or nobody wants the rest; null then. */
export async function inSlices<T>(steps: Generator<void, T>, isWanted: () => boolean): Promise<T | null> {
  let begun = performance.now();
  while (isWanted()) {
    const { done, value } = steps.next();
    if (done) return value;
    const taken = performance.now() - begun;
    if (taken < SLICE) continue;
    await new Promise((resolve) => setTimeout(resolve, taken));
    begun = performance.now();
  }
  return null;
}

export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
