import type { Experience, RankedExperience } from '#contract/outcomes.ts';
import { integer } from '../../ports/knob.ts';
import { EXPERIENCE_HALF_LIFE, worth } from '../../recall/inject/experience-marks.ts';

export const RANKING_KNOBS = {
  halfLifeDays: EXPERIENCE_HALF_LIFE,
  candidates: integer('REFLECT_EXPERIENCE_CANDIDATES', {
    default: 5,
    min: 1,
    max: 50,
    doc: 'How many times more experiences are compared than returned',
  }),
};

/**
 * The best successes and partial successes, then the top failure as a warning. Experiences that disagree within a
 * category are marked.
 */
export function ranked(
  candidates: Experience[],
  now: number,
  limit: number,
  halfLifeDays: number,
): RankedExperience[] {
  const scored = candidates
    .map((experience): RankedExperience => ({
      ...experience,
      ...worth(experience, now, halfLifeDays),
      flags: experience.outcome === 'failed' ? ['⚠️'] : [],
    }))
    .toSorted((a, b) => b.score - a.score);
  const warning = scored.find(({ outcome }) => outcome === 'failed');
  const others = scored
    .filter(({ outcome }) => outcome !== 'failed')
    .slice(0, warning ? Math.max(0, limit - 1) : limit);
  const chosen = [...others, ...(warning ? [warning] : [])];
  return chosen.map((experience) =>
    conflicts(experience, chosen) ? { ...experience, flags: [...experience.flags, '⚡'] } : experience,
  );
}

const conflicts = ({ category, outcome }: Experience, all: readonly Experience[]) =>
  all.some((other) => other.category === category && other.outcome !== outcome);

/** The text that agents read. */
export function render(experiences: readonly RankedExperience[]): string {
  return experiences
    .map(({ flags, category, task, lessons, outcome }) => {
      const marks = [
        ...(flags.includes('⚠️') ? ['⚠️ This failed before:'] : []),
        ...(flags.includes('⚡') ? [`⚡ Experiences in ${category} disagree:`] : []),
      ];
      return [...marks, `- ${task} (${outcome})`, `  ${lessons.replace(/\s*\n\s*/g, '\n  ')}`].join('\n');
    })
    .join('\n');
}
