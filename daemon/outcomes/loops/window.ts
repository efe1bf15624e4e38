import type {
  Loop,
  LoopIteration,
  ReflectionWindow,
  SelfReflection,
  VerificationType,
} from '#contract/loops.ts';
import { flag } from '../../ports/knob.ts';
import type { PortCard } from '../../ports/port.ts';
import { jaccard } from '../../text/similarity.ts';
import { contentTerms } from '../../text/tokenise.ts';

export const dynamicOmega = {
  id: 'loops.dynamic-omega',
  seeds: [],
  doc: 'Gives an attempt more reflections if earlier failures were of many kinds.',
  switch: flag(
    'REFLECT_LOOP_DYNAMIC_OMEGA',
    true,
    'Let the variety of failures increase the number of reflections for an attempt',
  ),
  knobs: {},
} satisfies PortCard;

/** A check with a clear failure needs one reflection; one that combines parts or needs judgement needs more. */
const BY_CHECK: Record<VerificationType, number> = {
  unit_tests: 1,
  type_check: 1,
  lint: 1,
  compilation: 1,
  integration_tests: 3,
  combined: 3,
  heuristic: 3,
  external_api: 3,
  manual_review: 5,
};

export interface Reflected {
  iteration: number;
  reflection: SelfReflection;
  flags: LoopIteration['flags'];
}

export function reflectionsIn(iterations: readonly LoopIteration[]): Reflected[] {
  return iterations.flatMap(({ record: { iteration, self_reflection: reflection }, flags }) =>
    reflection ? [{ iteration, reflection, flags }] : [],
  );
}

const variety = (reflections: readonly Reflected[]) =>
  new Set(reflections.flatMap(({ reflection }) => reflection.credit_assignment?.failure_category ?? [])).size;
const byVariety = (kinds: number) => (kinds >= 5 ? 5 : kinds >= 3 ? 3 : 1);

/** The number of reflections for the next attempt, with the reason. */
export function omegaOf(
  { omega, verificationType }: Loop,
  reflections: readonly Reflected[],
  dynamic: boolean,
): { omega: number; why: string } {
  if (omega !== null) return { omega, why: 'fixed when the loop was started' };
  const usual = BY_CHECK[verificationType];
  const kinds = variety(reflections);
  const widened = dynamic ? byVariety(kinds) : 1;
  return widened > usual
    ? { omega: widened, why: `failures of ${kinds} kinds` }
    : { omega: usual, why: `usual for ${verificationType.replaceAll('_', ' ')}` };
}

/** The reflections for the next attempt: the last ones, or those most similar to the last failure. */
export function windowOf(
  loop: Loop,
  iterations: readonly LoopIteration[],
  dynamic: boolean,
): ReflectionWindow {
  const all = reflectionsIn(iterations);
  const { omega, why } = omegaOf(loop, all, dynamic);
  return {
    loopId: loop.id,
    omega,
    why,
    policy: loop.windowPolicy,
    reflections: chosen(all, omega, loop, iterations),
  };
}

function chosen(
  all: Reflected[],
  omega: number,
  { windowPolicy }: Loop,
  iterations: readonly LoopIteration[],
): Reflected[] {
  if (windowPolicy === 'fifo') return all.slice(-omega);
  if (windowPolicy === 'recency') return all.slice(-omega).toReversed();
  const last = iterations.at(-1)?.record;
  const failure = contentTerms(
    [
      ...(last?.evaluator_output.errors ?? []).map(({ message }) => message),
      last?.self_reflection?.reflection_text ?? '',
    ].join('\n'),
  );
  const fit = ({ reflection }: Reflected) =>
    jaccard(
      contentTerms([reflection.reflection_text, ...(reflection.lessons_learned ?? [])].join('\n')),
      failure,
    );
  return all.toSorted((a, b) => fit(b) - fit(a) || b.iteration - a.iteration).slice(0, omega);
}
