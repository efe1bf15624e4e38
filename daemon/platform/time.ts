export const DAY = 86_400_000; // ms

/** A day as it is written everywhere: 2026-03-01, in UTC. */
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
