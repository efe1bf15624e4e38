/** Neighbouring hits get hues far apart; what did not make it stays grey. Readable as a line on light and on dark. */
export const hueOf = (order: number | null): string | undefined =>
  order === null ? undefined : `oklch(0.64 0.14 ${(277 + order * 137) % 360})`;
