import type { Hit, TraceStep } from '#contract/entities.ts';

export type LabCandidate = {
  id: string;
  title: string;
  /** Its place in this step, from 1. */
  place: number;
  /** Its place after the step before; null when it is new here. */
  from: number | null;
  score: number;
  note: string | undefined;
};

export type LabColumn = { step: TraceStep; candidates: LabCandidate[] };

/** Arms search side by side, so "before" means nothing among them. */
const isArm = (stage: string): boolean => /^arms?\b/.test(stage);

/** The trace as columns, with every candidate's move since the step before. */
export function labColumns(trace: readonly TraceStep[]): LabColumn[] {
  let before = new Map<string, number>();
  return trace.map((step) => {
    const candidates = step.candidates
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ id, title, score, note }, index) => ({ id, title, place: index + 1, from: isArm(step.stage) ? null : (before.get(id) ?? null), score, note }));
    if (!isArm(step.stage) && candidates.length > 0) before = new Map(candidates.map(({ id, place }) => [id, place]));
    return { step, candidates };
  });
}

/** The final place of every hit, by its id. */
export const orderOf = (hits: readonly Hit[]): ReadonlyMap<string, number> => new Map(hits.map(({ learning }, index) => [learning.id, index]));
