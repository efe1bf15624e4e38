import { flag, number } from '../../ports/knob.ts';
import { projectPort } from '../../ports/port.ts';
import { fieldLine, titleLine } from '../render.ts';
import type { SkillHit } from '../skills/skills-index.ts';

const SKILL_TIER_KNOBS = {
  minScore: number('REFLECT_SKILL_TIER_MIN_SCORE', {
    default: 2,
    min: 0,
    max: 100,
    doc: 'Minimum score at which a skill is injected instead of learnings',
  }),
};

export const skillTier = projectPort({
  id: 'inject.skills',
  seeds: ['R10'],
  doc: 'Starts a session with a matching skill instead of learnings.',
  switch: flag(
    'REFLECT_TIERED_INJECT',
    false,
    'Try skills first, then one strong learning, and search all learnings only if neither is enough',
  ),
  knobs: SKILL_TIER_KNOBS,
});

export const MOST_SKILLS = 2;

export function renderSkills(hits: SkillHit[]): string {
  return [
    '## Skills for this',
    ...hits.map(
      ({ skill: { name, agent, summary, path } }) =>
        `- **${titleLine(name)}**: ${fieldLine(summary)}\n  (${agent} · ${fieldLine(path)})`,
    ),
  ].join('\n');
}
