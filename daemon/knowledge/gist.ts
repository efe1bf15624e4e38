import type { Note } from '#contract/entities.ts';

/** The sentence a note is about. Its quote and body are what else was said, and would make strangers look alike. */
export const gistOf = ({ title, rule }: Pick<Note, 'title' | 'rule'>): string =>
  rule.startsWith(title) || rule === '' ? rule || title : `${title}\n${rule}`;
