export const DAY = 86_400_000; // ms

/** The date in UTC, as 2026-03-01. */
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
