import type { Note } from '#contract/entities.ts';

/** Whose note it is, if it came from a space: `from acme/ana`. */
export const colleagueOf = ({ metadata: { colleague } }: Pick<Note, 'metadata'>): string =>
  typeof colleague === 'string' ? `from ${colleague}` : '';
