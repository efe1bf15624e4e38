import type { Asked, Output } from '#contract/methods.ts';
import type { ReadableDb } from '../../store/db.ts';
import { findReflections } from '../../store/outcomes/loops.ts';

type ReflectionHit = Output<'reflections.search'>[number];

/** Reflections of every loop: most matching words first, then loops that passed, then the newest. */
export function searchReflections(
  db: ReadableDb,
  { failureCategory, minConfidence, keywords = [], limit }: Asked<'reflections.search'>,
): ReflectionHit[] {
  const categories = failureCategory === undefined ? null : [failureCategory].flat();
  return findReflections(db, { categories, minConfidence: minConfidence ?? null })
    .flatMap(({ record, flags, task, at, solved }): ReflectionHit[] => {
      const { loop_id: loopId, iteration, self_reflection: reflection } = record;
      if (!reflection) return [];
      const text = [task, JSON.stringify(reflection)].join('\n').toLowerCase();
      const matched = keywords.filter((word) => text.includes(word.toLowerCase()));
      return keywords.length > 0 && matched.length === 0
        ? []
        : [{ loopId, iteration, task, at, reflection, flags, matched, solved }];
    })
    .toSorted(
      (a, b) => b.matched.length - a.matched.length || Number(b.solved) - Number(a.solved) || b.at - a.at,
    )
    .slice(0, limit);
}
