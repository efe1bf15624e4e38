export const MINUTE = 60_000; // ms
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The date in UTC, as 2026-03-01. */
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
