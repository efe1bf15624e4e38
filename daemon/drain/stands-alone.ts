import { judge, type Verdict, type Weights } from '../capture/judge/cue.ts';
import { number, perProject } from '../ports/knob.ts';
import { type JudgedNote, NOTE_CUES } from './note-cues.ts';
import weights from './note-weights.json' with { type: 'json' };
import type { Material } from './writer.ts';

export const LEARNING_BAR = perProject(
  number('REFLECT_LEARNING_BAR', {
    default: 0.36,
    min: 0,
    max: 1,
    doc: 'Minimum probability that a note is worth keeping to become a learning; others wait as candidates',
  }),
);

/** Learned from this machine's person, added to the shipped weights. */
export type LocalWeights = Weights;

export const SHIPPED: Weights = weights.note;

/** Log-odds up to which the sum is taken at its word, and the share of it that counts beyond. */
const TRUSTED = 0.6;
const BEYOND = 0.25;

/**
 * On repositories that the weights were not fitted on, notes summed up to .87 are no better than those at .70: a
 * sentence with many good signs is not that much likelier to be a lesson. So certainty grows slowly at the top.
 */
function tempered(probability: number): number {
  const odds = Math.log(probability / (1 - probability));
  return odds <= TRUSTED ? probability : 1 / (1 + Math.exp(-(TRUSTED + BEYOND * (odds - TRUSTED))));
}

/** How likely a note is a rule or fact that a stranger understands a month later, with its reasons, sorted. */
export function judgeNote(
  note: JudgedNote['note'],
  material: Pick<Material, 'signal' | 'score' | 'speculative'>,
  local?: LocalWeights,
): Verdict {
  const verdict = judge(NOTE_CUES, local ? shifted(local) : SHIPPED, { note, material });
  return { ...verdict, probability: tempered(verdict.probability) };
}

function shifted(local: LocalWeights): Weights {
  const cues = Object.fromEntries(
    NOTE_CUES.map(({ id, prior }) => [id, (SHIPPED.cues[id] ?? prior) + (local.cues[id] ?? 0)]),
  );
  return { bias: SHIPPED.bias + local.bias, cues };
}
