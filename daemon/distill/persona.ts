import type { Observation, PersonaFact } from '#contract/distill.ts';
import { flag, integer, type UserResolve } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { listObservations } from '../store/distill/observations.ts';
import { dropPersonaFacts, personaOf, putPersonaFact } from '../store/distill/persona.ts';
import type { Store } from '../store/learnings/write.ts';

export const personaFields = {
  id: 'distill.persona',
  seeds: ['O3'],
  doc: "Sums up a project's observations as facts, such as its testing style, with how well each is proven.",
  switch: flag('REFLECT_PERSONA', true, 'Derive facts about a project from its observations'),
  knobs: {
    enough: integer('REFLECT_PERSONA_EVIDENCE', {
      default: 12,
      min: 1,
      max: 1_000,
      doc: 'How often a fact must be said to count as certain',
    }),
  },
} satisfies PortCard;

type Fact = Omit<PersonaFact, 'project'>;

/** Facts depend only on the project's observations, so running this twice changes nothing. */
export function drawPersona({ db, now }: Store, project: string, resolve: UserResolve): void {
  if (!resolve(personaFields.switch)) return;
  const known = new Map(personaOf(db, project).map((fact) => [fact.field, JSON.stringify(fact)]));
  const facts = factsIn(listObservations(db, [project], 'active'), resolve(personaFields.knobs.enough));
  for (const fact of facts)
    if (known.get(fact.field) !== JSON.stringify(fact)) putPersonaFact(db, project, fact, now());
  dropPersonaFacts(
    db,
    project,
    facts.map(({ field }) => field),
  );
}

function factsIn(observations: readonly Observation[], enough: number): Fact[] {
  const fields = Map.groupBy(
    observations.filter(({ field }) => field !== ''),
    ({ field }) => field,
  );
  return [...fields].map(([field, all]) => {
    const votes = [...Map.groupBy(all, ({ value }) => value)]
      .map(([value, said]) => ({ value, said, times: timesSaid(said) }))
      .toSorted((a, b) => b.times - a.times);
    const [first, second] = votes;
    // Observations of another value lower the confidence in proportion.
    const agreed = (first?.times ?? 0) - (second?.times ?? 0);
    return {
      field,
      value: first?.value ?? '',
      confidence: Math.min(1, agreed / enough),
      sources: (first?.said ?? []).map(({ id }) => id).toSorted(),
    };
  });
}

/** Counts each source once, even if several observations share it. */
function timesSaid(observations: readonly Observation[]): number {
  const occasions = new Set(observations.flatMap(({ sources }) => sources));
  return (
    occasions.size +
    observations.reduce((sum, { proofCount, sources }) => sum + Math.max(0, proofCount - sources.length), 0)
  );
}
