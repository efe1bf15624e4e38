import * as z from 'zod';
import type { LocalJudge } from '#contract/judge-methods.ts';
import type { ReadableDb } from '../store/db.ts';
import { type Decision, decisionsAboutNotes } from '../store/learnings/decisions.ts';
import { NOTE_CUES } from './note-cues.ts';
import { judgeNote, type LocalWeights, SHIPPED } from './stands-alone.ts';

// Lenient: a person may edit the file of a note.
const Judged = z.object({ sense: z.number().catch(0) }).catch({ sense: 0 });

/** One decision moves a weight by at most this share of how wrong the judge was. */
const STEP = 0.15;
/** Each decision also pulls the weights back by this share, towards the shipped ones. */
const PULL = 0.01;
/** A person's taste may tilt the judge, and never replace it. */
const MOST_BIAS = 1;
const MOST_CUE = 0.75;

/** The shift of the weights that a person's decisions on this machine ask for: one logistic step each, bounded. */
export const localWeights = (db: ReadableDb): LocalWeights => learnedFrom(decisionsAboutNotes(db));

function learnedFrom(decisions: readonly Decision[]): LocalWeights {
  const local: LocalWeights = { bias: 0, cues: {} };
  for (const { note: decided, moment, isKept } of decisions) {
    const note = { title: decided.title, sense: Judged.parse(decided.metadata['judged']).sense };
    const wrong = (isKept ? 1 : 0) - judgeNote(note, moment, local).probability;
    local.bias = moved(local.bias, wrong, MOST_BIAS);
    for (const { id, holds } of NOTE_CUES) {
      const weight = local.cues[id] ?? 0;
      local.cues[id] = moved(weight, wrong * Number(holds({ note, material: moment })), MOST_CUE);
    }
  }
  return local;
}

const moved = (weight: number, by: number, most: number) =>
  Math.max(-most, Math.min(most, weight * (1 - PULL) + STEP * by));

const LEAST_SHOWN = 0.01;
const rounded = (value: number) => Math.round(value * 100) / 100;

/** The same, as a person reads it: the cues whose weight moved, the most moved first. */
export function showLocalJudge(db: ReadableDb): LocalJudge {
  const decisions = decisionsAboutNotes(db);
  const { bias, cues } = learnedFrom(decisions);
  const kept = decisions.filter(({ isKept }) => isKept).length;
  return {
    kept,
    dropped: decisions.length - kept,
    bias: rounded(bias),
    cues: NOTE_CUES.map(({ id, why, prior }) => ({
      id,
      why,
      shipped: rounded(SHIPPED.cues[id] ?? prior),
      shift: rounded(cues[id] ?? 0),
    }))
      .filter(({ shift }) => Math.abs(shift) >= LEAST_SHOWN)
      .toSorted((one, other) => Math.abs(other.shift) - Math.abs(one.shift)),
  };
}
