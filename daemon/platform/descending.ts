/**
 * Orders numbers from the largest down. A difference would be a fraction, for which V8 makes an object at every
 * comparison: a third of what a search by words left behind.
 */
export const descending = (one: number, other: number): number => (one > other ? -1 : one < other ? 1 : 0);
