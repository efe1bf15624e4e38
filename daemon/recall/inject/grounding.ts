import type { Learning } from '#contract/entities.ts';
import { flag, number, perProject } from '../../ports/knob.ts';
import type { PortCard } from '../../ports/port.ts';
import { STALENESS_DAYS } from '../../ports/staleness.ts';
import { renderLearning } from '../render.ts';
import { DAY } from '../../platform/time.ts';

const GROUNDING_KNOBS = {
  minScore: perProject(
    number('REFLECT_GROUNDING_MIN_SCORE', {
      default: 0.8,
      min: 0,
      max: 1,
      doc: 'Minimum confidence of that one learning',
    }),
  ),
  stalenessDays: STALENESS_DAYS, // of the user: installed skills are judged by it too
};

export const grounding = {
  id: 'inject.grounding',
  seeds: ['R11'],
  doc: 'With tiered injection, one recent and confident learning is enough and the search stops.',
  switch: perProject(
    flag('REFLECT_GROUNDING', true, 'With tiered injection, stop at one recent and confident learning'),
  ),
  knobs: GROUNDING_KNOBS,
} satisfies PortCard;

/** The best learning of a quick search, reduced to what decides whether it is enough. */
export interface Probe {
  text: string;
  stale: boolean;
  /** Null when it is not known when it was learned. */
  ageDays: number | null;
  score: number;
}

export function probeOf(learning: Learning, now: number): Probe {
  const { updatedAt, forgetAfter, documentProblem, isLatest, signals, confidence } = learning;
  return {
    text: renderLearning(learning),
    stale:
      !isLatest ||
      documentProblem !== null ||
      (forgetAfter !== null && forgetAfter <= now) ||
      signals.staleCount > signals.helpfulCount,
    // A date in the future or near 1970 means a wrong clock, not a young note.
    ageDays: updatedAt > 0 && updatedAt <= now ? (now - updatedAt) / DAY : null,
    score: TIERS[Math.min(TIERS.length - 1, tierOf(confidence) + (isConfirmed(learning) ? 1 : 0))] ?? 0,
  };
}

const TIERS = [0.4, 0.7, 1];
const tierOf = (confidence: number) => (confidence >= 0.8 ? 2 : confidence >= 0.5 ? 1 : 0);
/** Captured once, a note is hardly ever called sure; that another session met it, or that it helped, makes it so. */
const isConfirmed = ({ signals: { proofCount, helpfulCount, staleCount } }: Learning) =>
  proofCount > 1 || helpfulCount > staleCount;

export function isEnough(
  probe: Probe | null,
  { minScore, stalenessDays }: { minScore: number; stalenessDays: number },
): boolean {
  if (!probe || probe.text.trim() === '' || probe.stale || probe.ageDays === null) return false;
  return probe.ageDays <= stalenessDays && probe.score > minScore;
}
