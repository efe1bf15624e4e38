import { flag } from '../../ports/knob.ts';
import { textsOf } from '../../store/learnings/learnings.ts';
import { coverage } from '../../text/similarity.ts';
import type { Candidate } from '../candidate.ts';
import { type ArmResult, type RecallContext, recallPort } from '../port.ts';

export const perArm = recallPort({
  id: 'floor.per-arm',
  seeds: ['R12'],
  doc: 'Drops weak results of one arm without affecting the others.',
  switch: flag('RECALL_ARM_FLOORS', true, 'Apply the floor of each arm'),
  knobs: {},
  off: (arms) => arms,
  run(arms, context) {
    const dropped = new Map<number, string>();
    const result = arms.map((arm) => {
      if (arm.floor === 0) return arm;
      const strength = strengthIn(arm, context);
      const kept = arm.candidates.filter((candidate) => {
        const isKept = strength(candidate) >= arm.floor;
        if (!isKept) dropped.set(candidate.seq, `below the floor of ${arm.arm}: ${arm.floor}`);
        return isKept;
      });
      return { ...arm, candidates: kept };
    });
    if (dropped.size > 0)
      for (const { seq } of result.flatMap(({ candidates }) => candidates)) dropped.delete(seq); // another arm still brings it
    return {
      result,
      says: dropped.size === 0 ? 'all above the minimum' : `${dropped.size} below their floors`,
      dropped,
    };
  },
});

/** Arms score on different scales; the strength that a floor compares is on 0…1 for each of them. */
function strengthIn(
  { strength, candidates }: ArmResult,
  { db, question }: RecallContext,
): (candidate: Candidate) => number {
  if (strength === 'score') return ({ score }) => score;
  const texts = textsOf(
    db,
    candidates.map(({ seq }) => seq),
  );
  return ({ seq }) => coverage(question.words, texts.get(seq) ?? '');
}
