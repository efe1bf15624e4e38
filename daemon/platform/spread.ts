/** The median and 95th percentile of measurements; 0 without any. */
export function spreadOf(times: readonly number[]): { p50Ms: number; p95Ms: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}
