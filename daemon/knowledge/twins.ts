import type { Note } from '#contract/entities.ts';
import type { Inference } from '../inference/inference.ts';
import { flag, number, type UserResolve } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { findLive } from '../store/learnings/learnings.ts';
import type { Store } from '../store/learnings/write.ts';
import { adjudicated, closeness } from './adjudicate.ts';
import { areOpposed } from './contradictions.ts';
import { type Neighbour, nearestToNew } from './neighbours.ts';
import { findSameMeaning } from './same-meaning.ts';

/**
 * `node daemon/knowledge/bench/twins.ts` measures the threshold. On the 4 076 pairs of the Microsoft Research
 * Paraphrase Corpus,
 * 0.9 has a precision of 91 % and a recall of 37 % with bge-small; with MiniLM 87 % and 40 %. Of 8 778 pairs of
 * learnings from real sessions it asks about none, and no differing pair is above 0.88. Their 18 duplicates use quite
 * different words, beyond any threshold: 0.85 finds two of them, 0.7 three with fifteen false questions.
 */
export const twins = {
  id: 'knowledge.twins',
  seeds: ['C1'],
  doc: 'Asks you whether to merge a new learning that says nearly the same as an active one; a cross-encoder, if available, may object.',
  switch: flag('REFLECT_DEDUP', true, 'Compare a new learning by meaning with all active ones'),
  knobs: {
    threshold: number('REFLECT_DEDUP_THRESHOLD', {
      default: 0.9,
      min: 0,
      max: 1,
      doc: 'How similar two learnings must be, from 0 unrelated to 1 the same, before Reflect asks you to merge them; 1 never asks',
    }),
  },
} satisfies PortCard;

/** Computed before a note is ingested, because it takes a model, which must not run inside a transaction. */
export interface Preview {
  /** The nearest learnings visible from the place of the note. */
  neighbours: Neighbour[];
  /** Notes that say the same, candidates included, best first. */
  alike?: string[];
  /** The nearest on other branches of its project. */
  elsewhere?: Neighbour[];
  resolve: UserResolve;
}

/** Finds similar learnings. Without a model, or when it fails, there are none; the sweep compares the note later. */
export async function preview(
  store: Store,
  inference: Inference,
  note: Note,
  resolve: UserResolve,
  onProblem: (error: unknown) => void,
): Promise<Preview> {
  try {
    const { neighbours, candidates, elsewhere } = await nearestToNew(store.db, inference, note);
    // Two learnings that say the same are twins, about which a person is asked.
    const near = note.status === 'candidate' ? [...candidates, ...neighbours] : candidates;
    const alike = await findSameMeaning(store.db, inference, note, near, resolve);
    return {
      neighbours: await adjudicated(store.db, inference, note, neighbours),
      elsewhere,
      alike,
      resolve,
    };
  } catch (error) {
    onProblem(error);
    return { neighbours: [], resolve };
  }
}

/** The live learning that says nearly the same, unless it says the opposite in nearly the same words. */
export function twinOf({ db }: Store, title: string, { neighbours, resolve }: Preview): Neighbour | null {
  const threshold = resolve(twins.knobs.threshold);
  if (!resolve(twins.switch) || threshold >= 1) return null;
  return (
    neighbours.find((near) => {
      const known = closeness(near) >= threshold && findLive(db, near.id);
      return known && !areOpposed(known.title, title);
    }) ?? null
  );
}
