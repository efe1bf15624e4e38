import type { Learning } from '#contract/entities.ts';
import { DAY } from '../../platform/time.ts';
import { number } from '../../ports/knob.ts';

export const EXPERIENCE = 'experience';

export const EXPERIENCE_HALF_LIFE = number('REFLECT_EXPERIENCE_HALF_LIFE_DAYS', {
  default: 35,
  min: 1,
  max: 3_650,
  doc: 'Age in days at which an experience counts half',
});

const ENOUGH_USES = 2;

/** The share of uses that went well; null before there are enough uses. */
export const confidenceOf = ({ uses, successes }: Learning['signals']): number | null =>
  uses >= ENOUGH_USES ? successes / uses : null;

/** Quality × freshness × share of uses that helped; with fewer than two uses the share is 1. */
export function worth(
  { quality, confidence, at }: { quality: number; confidence: number | null; at: number },
  now: number,
  halfLifeDays: number,
): { score: number; decay: number } {
  const decay = 0.5 ** (Math.max(0, now - at) / DAY / halfLifeDays);
  return { score: quality * decay * (confidence ?? 1), decay };
}

/** Experiences take each other's places in the order of their worth; other learnings keep theirs. */
export function byWorth(learnings: readonly Learning[], now: number, halfLifeDays: number): Learning[] {
  const isExperience = ({ type }: Learning) => type === EXPERIENCE;
  const scoreOf = ({ signals, updatedAt }: Learning) =>
    worth({ quality: signals.quality, confidence: confidenceOf(signals), at: updatedAt }, now, halfLifeDays)
      .score;
  const ordered = learnings.filter(isExperience).toSorted((a, b) => scoreOf(b) - scoreOf(a));
  return learnings.map((learning) => (isExperience(learning) ? (ordered.shift() ?? learning) : learning));
}

/** `⚠️` for an experience that failed, `⚡` for one that others of its category contradict; '' for everything else. */
export function marksOf(learning: Learning, among: readonly Learning[]): string {
  if (learning.type !== EXPERIENCE) return '';
  const { category, outcome } = learning;
  const disagrees = among.some(
    (other) => other.type === EXPERIENCE && other.category === category && other.outcome !== outcome,
  );
  return [
    ...(outcome === 'fail' ? ['⚠️ This failed before: '] : []),
    ...(disagrees ? [`⚡ Experiences in ${category} disagree: `] : []),
  ].join('');
}
