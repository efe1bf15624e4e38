import { flag, number } from '../../ports/knob.ts';
import { textsOf } from '../../store/learnings/learnings.ts';
import { coverage } from '../../text/similarity.ts';
import { type Candidate, recallPort } from '../port.ts';

const floor = (name: string, what: string) =>
  number(name, {
    default: 0,
    min: 0,
    max: 1,
    doc: `Least ${what} a candidate of this arm needs; 0 lets all through`,
  });

export const perArm = recallPort({
  id: 'floor.per-arm',
  seeds: ['R12'],
  doc: 'Drops the weak finds of one arm without touching the strong ones of another.',
  switch: flag('RECALL_ARM_FLOORS', true, 'Apply the floor of each arm'),
  knobs: {
    vector: floor('RECALL_ARM_VECTOR_MIN_SCORE', 'similarity of meaning (0 unrelated, 1 the same)'),
    words: floor('RECALL_ARM_BM25_MIN_SCORE', 'share of the question’s words'),
    graph: floor('RECALL_ARM_GRAPH_MIN_SCORE', 'closeness in the graph'),
    temporal: floor('RECALL_ARM_TEMPORAL_MIN_SCORE', 'share of the question’s words'),
  },
  off: (arms) => arms,
  run(arms, { db, question }, floors) {
    const dropped = new Map<number, string>();
    const result = arms.map(({ arm, candidates }) => {
      const least = floors[arm as keyof typeof floors] ?? 0; // an arm without a floor of its own has none
      if (least === 0) return { arm, candidates };
      // What arms score by does not compare; what the floor asks for is on 0…1 for each of them.
      const strength =
        arm === 'words' || arm === 'temporal'
          ? covered(
              candidates,
              textsOf(
                db,
                candidates.map(({ seq }) => seq),
              ),
              question.words,
            )
          : ({ score }: Candidate) => score;
      const kept = candidates.filter((candidate) => strength(candidate) >= least);
      for (const { seq } of candidates)
        if (!kept.some((candidate) => candidate.seq === seq))
          dropped.set(seq, `below the floor of ${arm}: ${least}`);
      return { arm, candidates: kept };
    });
    const alive = new Set(result.flatMap(({ candidates }) => candidates.map(({ seq }) => seq)));
    for (const seq of alive) dropped.delete(seq); // another arm still brings it
    return {
      result,
      says: dropped.size === 0 ? 'all above their floors' : `${dropped.size} below their floors`,
      dropped,
    };
  },
});

function covered(
  candidates: Candidate[],
  texts: Map<number, string>,
  query: string,
): (candidate: Candidate) => number {
  const shares = new Map(candidates.map(({ seq }) => [seq, coverage(query, texts.get(seq) ?? '')]));
  return ({ seq }) => shares.get(seq) ?? 0;
}
