/**
 * Scores as deviations from their mean, in units of their spread: the one scale on which unlike scores compare. Where
 * they hardly differ, `leastSpread` is the unit: two near-equals must not look like opposites because nothing else was
 * found.
 */
export function standardScores(
  values: readonly number[],
  leastSpread = 0,
): { scores: number[]; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const deviation = Math.sqrt(
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length),
  );
  const unit = Math.max(deviation, leastSpread);
  return { scores: values.map((value) => (unit > 0 ? (value - mean) / unit : 0)), deviation };
}
