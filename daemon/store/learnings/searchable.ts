import type { Note } from '#contract/entities.ts';

/** Rows that a search can find: learnings, and candidates for a person who asks for them. */
export const SEARCHABLE = `(live = 1 OR status = 'candidate')`;

/** SQL that is true when the learning of this id waits as a candidate. */
export const isCandidate = (id: string): string =>
  `EXISTS (SELECT 1 FROM learning AS waiting WHERE waiting.id = ${id} AND waiting.status = 'candidate')`;

/** True for a note that agents may get: neither waiting, retired nor superseded. */
export const isLive = (note: Pick<Note, 'status' | 'isLatest'>): boolean =>
  note.status === 'active' && note.isLatest;

/** True for a note that a search can find: a learning, or a candidate for a person who asks for candidates. */
export const isSearchable = (note: Pick<Note, 'status' | 'isLatest'>): boolean =>
  isLive(note) || note.status === 'candidate';
