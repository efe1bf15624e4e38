import type { Inference } from '../inference/inference.ts';
import weights from './note-weights.json' with { type: 'json' };

/** A direction in an embedder's space along which titles that stand alone lie, and the middle of all titles. */
export interface Sense {
  /** The embedder it was fitted on; another one has a space of its own. */
  model: string;
  direction: number[];
  middle: number;
}

/** The shipped one. */
export const SENSE: Sense = weights.sense;

/** How far a title lies towards those that stand alone, in log-odds; 0 is the middle. */
export const along = ({ direction, middle }: Sense, vector: ArrayLike<number>): number =>
  direction.reduce((sum, weight, index) => sum + weight * (vector[index] ?? 0), -middle);

/** The embedder's opinion of a title; 0, which says nothing, without the embedder that this was fitted on. */
export async function senseOf(inference: Inference, title: string): Promise<number> {
  if (inference.available('embedder')?.id !== SENSE.model) return 0;
  // A model that fails is reported when the note is compared with the others.
  const vector = await inference.embedDocument('embedder', title).catch(() => null);
  return vector ? Math.round(along(SENSE, vector) * 100) / 100 : 0;
}
