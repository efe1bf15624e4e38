/** Runs only the last of a burst of calls, once it has been quiet for a while. */
export function afterQuiet<A extends unknown[]>(quietMs: number, run: (...input: A) => void): (...input: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...input) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...input), quietMs);
  };
}
