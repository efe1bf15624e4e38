import type { ReadableDb } from '../store/db.ts';
import { namesOf } from '../store/learnings/learnings.ts';
import { isCode } from '../text/is-code.ts';

/** From this share of code on, tokens are not compared: a question and the code that answers it have few in common. */
export const MOSTLY_CODE = 0.5;
export const LOOKED_AT = 10;

export function bestOf(seqs: number[], similarity: number[]): number[] {
  return seqs
    .map((seq, index) => ({ seq, score: similarity[index] ?? 0 }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, LOOKED_AT)
    .map(({ seq }) => seq);
}

export function shareOfCode(db: ReadableDb, seqs: number[]): number {
  const names = [...namesOf(db, seqs).values()];
  return names.filter(({ title }) => isCode(title)).length / Math.max(1, names.length);
}
