/** Rows that a search can find: learnings, and candidates for a person who asks for them. */
export const SEARCHABLE = `(live = 1 OR status = 'candidate')`;

/** SQL that is true when the learning of this id waits as a candidate. */
export const isCandidate = (id: string): string =>
  `EXISTS (SELECT 1 FROM learning AS waiting WHERE waiting.id = ${id} AND waiting.status = 'candidate')`;
