import type { Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import type { Inference } from '../inference/inference.ts';
import type { ReadableDb } from '../store/db.ts';
import { findLearning } from '../store/learnings/learnings.ts';
import { gistOf } from './gist.ts';
import type { Neighbour } from './neighbours.ts';

/** Similarity from which a pair is worth the cross-encoder's time: the coarse threshold. */
export const COARSE = 0.7;
const TIMEOUT_MS = 10_000; // for one pair; nobody waits for it

/** The neighbours with what the cross-encoder says of those near enough; as they are where there is none (C1, SG1). */
export async function adjudicated(
  db: ReadableDb,
  inference: Pick<Inference, 'available' | 'rerank'>,
  note: Pick<Note, 'title' | 'rule'>,
  neighbours: readonly Neighbour[],
): Promise<Neighbour[]> {
  if (!inference.available('cross-encoder')) return [...neighbours];
  const read: Neighbour[] = [];
  for (const near of neighbours) {
    const known = near.similarity >= COARSE ? findLearning(db, near.id) : null;
    read.push(known ? { ...near, ...(await agreementOf(inference, gistOf(note), gistOf(known))) } : near);
  }
  return read;
}

const TYPICAL = 0.87; // agreement of pairs that are twins at the threshold
const SAY = 0.7; // similarity that one unit of agreement is worth

/**
 * How near two notes are, by embeddings and, where it read them, by the cross-encoder. It may only object: a model
 * whose scores say little would otherwise lift pairs that are no twins over the threshold. `npm run bench:twins`
 * measures it.
 */
export const closeness = ({ similarity, agreement }: Pick<Neighbour, 'similarity' | 'agreement'>): number =>
  agreement === undefined ? similarity : similarity + SAY * Math.min(0, agreement - TYPICAL);

/**
 * The weaker of both directions, since of two that say the same each says what the other does, measured against what
 * the model says of each text and itself: its scores have a scale of their own. Nothing where it fails: embeddings
 * decide then, as they do without it.
 */
export async function agreementOf(
  inference: Pick<Inference, 'rerank'>,
  one: string,
  other: string,
): Promise<{ agreement?: number }> {
  try {
    const limits = { timeoutMs: TIMEOUT_MS, inBackground: true };
    const [across = 0, same = 0] = await inference.rerank(one, [other, one], limits);
    const [back = 0, itself = 0] = await inference.rerank(other, [one, other], limits);
    const most = logit(same) + logit(itself);
    return most > 0 ? { agreement: (2 * Math.min(logit(across), logit(back))) / most } : {};
  } catch (error) {
    if (error instanceof DaemonError) return {};
    throw error;
  }
}

const SURE = 1e-7;
const logit = (probability: number) => {
  const bounded = Math.min(Math.max(probability, SURE), 1 - SURE);
  return Math.log(bounded / (1 - bounded));
};
