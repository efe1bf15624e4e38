import type { Note } from '#contract/entities.ts';
import type { Resolve } from '../ports/knob.ts';
import { judgeNote, LEARNING_BAR, type LocalWeights } from './stands-alone.ts';
import type { Material } from './writer.ts';

/** Decides whether a written note is a learning or waits as a candidate. The reasons stay with the note, for a person to read. */
export function valueNote(note: Note, material: Material, resolve: Resolve, local?: LocalWeights): Note {
  const { probability, cues, why, against } = judgeNote(note, material, local);
  const rounded = Math.round(probability * 100) / 100;
  return {
    ...note,
    status: probability >= resolve(LEARNING_BAR) ? 'active' : 'candidate',
    confidence: rounded,
    metadata: { ...note.metadata, judged: { probability: rounded, cues, why, against } },
  };
}
