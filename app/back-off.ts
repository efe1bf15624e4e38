const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** The wait before the next attempt after so many failures in a row; the first retry is immediate. */
export function backOffMs(failures: number): number {
  return failures <= 1 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 2));
}
