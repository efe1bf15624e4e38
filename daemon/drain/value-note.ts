import type { Note } from '#contract/entities.ts';
import type { Resolve } from '../ports/knob.ts';
import { DRAIN_KNOBS } from './knobs.ts';
import { judgeNote, type LocalWeights } from './stands-alone.ts';
import type { Material } from './writer.ts';

export interface Circumstances {
  /** True for a session from before Reflect was first started. */
  isBackFill: boolean;
  local?: LocalWeights | undefined;
}

const OLD = 'was said before Reflect was first started';

const isWordedByModel = ({ metadata }: Note) =>
  metadata.writer !== undefined && metadata.compression !== 'synthetic';

/** Decides whether a written note is a learning or waits as a candidate. The reasons stay with the note, for a person to read. */
export function valueNote(
  note: Note,
  material: Material,
  resolve: Resolve,
  { isBackFill, local }: Circumstances,
): Note {
  const { probability, cues, why, against } = judgeNote(note, material, local);
  const rounded = Math.round(probability * 100) / 100;
  // A first run reads months of sessions. Their notes wait, so that nothing is injected before a person has seen the best.
  const isTooOld = isBackFill && !resolve(DRAIN_KNOBS.backFillLearnings);
  const bar = isWordedByModel(note) ? DRAIN_KNOBS.modelLearningBar : DRAIN_KNOBS.learningBar;
  const isGood = probability >= resolve(bar);
  return {
    ...note,
    status: isGood && !isTooOld ? 'active' : 'candidate',
    confidence: rounded,
    metadata: {
      ...note.metadata,
      judged: { probability: rounded, cues, why, against: isTooOld && isGood ? [OLD] : against },
    },
  };
}
