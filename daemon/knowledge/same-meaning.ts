import type { Note } from '#contract/entities.ts';
import type { Inference } from '../inference/inference.ts';
import { calibrated, cosine } from '../inference/similarity.ts';
import { flag, number, type UserResolve } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import type { ReadableDb } from '../store/db.ts';
import { findLearning } from '../store/learnings/learnings.ts';
import { jaccard } from '../text/similarity.ts';
import { contentTerms } from '../text/tokenise.ts';
import { areOpposed } from './contradictions.ts';
import { gistOf } from './gist.ts';
import type { Neighbour } from './neighbours.ts';

/**
 * Measured on all 57 460 pairs of labelled learnings of one repository from different sessions, with bge-small. From
 * 0.85 on,
 * 13 pairs, all of them the same lesson. From 0.8 on there are 6 more; this share of words passes 3 of them, all the
 * same, and holds back the rest, which are merely related. Most labelled duplicates are far apart (0.3 to 0.55) and
 * beyond any threshold.
 */
export const recurrence = {
  id: 'knowledge.recurrence',
  seeds: [],
  doc: 'Turns a candidate into a learning when another session says the same, unless it is a request that people repeat.',
  switch: flag('REFLECT_RECURRENCE', true, 'Compare a new note with the candidates of its project'),
  knobs: {
    similarity: number('REFLECT_RECURRENCE_SIMILARITY', {
      default: 0.85,
      min: 0.5,
      max: 1,
      doc: 'How similar two notes must be, from 0 unrelated to 1 the same, to count as the same lesson',
    }),
  },
} satisfies PortCard;

const WITH_WORDS = 0.05; // less similarity is enough when they also share words
const SHARED_WORDS = 0.28;

/** The nearest notes that say the same as this one, best first. Needs a model, so it runs before ingesting. */
export async function findSameMeaning(
  db: ReadableDb,
  inference: Inference,
  note: Note,
  near: readonly Neighbour[],
  resolve: UserResolve,
): Promise<string[]> {
  const model = inference.available('embedder');
  if (!model || !resolve(recurrence.switch) || near.length === 0) return [];
  const embed = (of: Note) => inference.embedDocument('embedder', gistOf(of));
  const own = await embed(note);
  const compared = await Promise.all(
    near.map(async ({ id }) => {
      const known = findLearning(db, id);
      return known && { known, similarity: calibrated(model, cosine(own, await embed(known))) };
    }),
  );
  return compared
    .filter((each) => each !== null)
    .filter(({ known, similarity }) => saySame(note, known, similarity, resolve))
    .toSorted((one, other) => other.similarity - one.similarity)
    .map(({ known }) => known.id);
}

function saySame(one: Note, other: Note, similarity: number, resolve: UserResolve): boolean {
  if (areOpposed(one.title, other.title)) return false;
  const bar = resolve(recurrence.knobs.similarity);
  if (similarity >= bar) return true;
  return (
    similarity >= bar - WITH_WORDS &&
    jaccard(contentTerms(gistOf(one)), contentTerms(gistOf(other))) >= SHARED_WORDS
  );
}
