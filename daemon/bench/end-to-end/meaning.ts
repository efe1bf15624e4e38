import type { Label } from '../../capture/bench/labelled.ts';
import { cosine } from '../../inference/similarity.ts';
import type { BenchModels } from '../models.ts';
import type { KnownNote } from './knowledge.ts';

/**
 * Cosine from which a note says what a label says. Of 58,000 pairs of different labels of a repository 98 are as near,
 * and about half of those do say the same.
 */
export const SAME = 0.8;

/** Those of the notes that say the label's learning in other words. */
export async function sayTheSame(
  { document }: BenchModels,
  label: Label,
  notes: readonly KnownNote[],
): Promise<Set<string>> {
  const wanted = await document('embedder', label.learning);
  const same = new Set<string>();
  for (const note of notes)
    if (cosine(wanted, await document('embedder', injectedText(note))) >= SAME) same.add(note.id);
  return same;
}

/** The part of a note that an agent reads. */
const injectedText = ({ title, rule }: KnownNote) => [...new Set([title, rule])].join('\n').trim();
