/** The result of one step of the suite. */
export interface Tally {
  passed: number;
  failed: number;
  /** Why each skipped test was skipped; as many sentences as there were skips. */
  skipped: string[];
  /** All that a failing step printed. */
  output: string;
}

/** The sum, with the output of the steps that failed. */
export function add(tallies: Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
    skipped: tallies.flatMap(({ skipped }) => skipped),
    output: tallies
      .filter(({ failed }) => failed > 0)
      .map(({ output }) => output)
      .join('\n'),
  };
}

/** Equal reasons once, with how often. */
export function skipLines(skipped: string[]): string[] {
  const times = new Map<string, number>();
  for (const reason of skipped) times.set(reason, (times.get(reason) ?? 0) + 1);
  return [...times].map(([reason, count]) =>
    count > 1 ? `skipped (${count} tests): ${reason}` : `skipped: ${reason}`,
  );
}
