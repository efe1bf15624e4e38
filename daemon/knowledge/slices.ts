/** Takes step after step and leaves others at least as long as each took, until all are done or nobody wants the rest; null then. */
export async function inSlices<T>(steps: Generator<void, T>, isWanted: () => boolean): Promise<T | null> {
  while (isWanted()) {
    const begun = performance.now();
    const { done, value } = steps.next();
    if (done) return value;
    await rest(performance.now() - begun);
  }
  return null;
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => (ms < 1 ? setImmediate(resolve) : setTimeout(resolve, ms)));
}

export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
