import type { Learning } from '#contract/entities.ts';
import type { ReadableDb } from '../../store/db.ts';
import { findLearning } from '../../store/learnings/learnings.ts';
import { contradictionsOf } from '../../store/learnings/questions.ts';
import { isLive } from '../../store/learnings/searchable.ts';
import { fieldLine } from '../render.ts';

/** By learning, the one that contradicts it while a person has yet to decide. */
export type Rivals = ReadonlyMap<string, Learning>;

export function rivalsOf(db: ReadableDb, learnings: readonly Learning[]): Rivals {
  const ids = learnings.map(({ id }) => id);
  return new Map(
    contradictionsOf(db, ids).flatMap(({ id, rivalId }) => {
      const rival = findLearning(db, rivalId);
      return rival && isLive(rival) ? [[id, rival] as const] : [];
    }),
  );
}

/** An agent cannot follow both sides, so it gets the one with more proof, or the newer one. */
export const prevailing = (learnings: readonly Learning[], rivals: Rivals): Learning[] =>
  learnings.filter((learning) => {
    const rival = rivals.get(learning.id);
    return !rival || prevails(learning, rival);
  });

function prevails(one: Learning, other: Learning): boolean {
  const byProof = one.signals.proofCount - other.signals.proofCount;
  const byDate = one.updatedAt - other.updatedAt;
  return (byProof || byDate || one.id.localeCompare(other.id)) > 0;
}

export const disputeLine = (rival: Learning): string =>
  `  Disputed: “${fieldLine(rival.title)}” says otherwise, and no person has decided yet`;
