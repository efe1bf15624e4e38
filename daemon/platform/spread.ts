/** The median and 95th percentile of measurements; 0 without any. */
export function spreadOf(times: readonly number[]): { p50Ms: number; p95Ms: number } {
  const sorted = Float64Array.from(times).sort(); // by value; a function that compares would take ten times as long
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}
