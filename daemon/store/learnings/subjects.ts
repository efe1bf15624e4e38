import type { ReadableDb } from '../db.ts';

/** What a learning is about and when that last changed. */
export interface Subject {
  id: string;
  title: string;
  category: string;
  /** '' for what is true everywhere. */
  project: string;
  updatedAt: number;
}

const MOST = 5_000;

/** What was learned, changed or taken back from then on, the latest first; what is only proposed is not learned yet. */
export function subjectsSince(db: ReadableDb, from: number): Subject[] {
  return db
    .prepare<[number], Subject>(
      `
    SELECT id, title, category, iif(note ->> '$.scope' = 'global', '', project) AS project, updated_at AS updatedAt FROM learning
    WHERE updated_at >= ? AND status <> 'proposed' ORDER BY updated_at DESC LIMIT ${MOST}
  `,
    )
    .all(from);
}
