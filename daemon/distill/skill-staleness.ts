import type { StaleSkill } from '#contract/distill.ts';
import type { Skill } from '#contract/skills.ts';
import { flag, type UserResolve } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { STALENESS_DAYS } from '../ports/staleness.ts';
import type { Store } from '../store/learnings/write.ts';
import { findLearning, listProjects } from '../store/learnings/learnings.ts';
import { promotedSkill, skillRefreshes, skillsIn } from '../store/distill/skills.ts';
import { type Subject, subjectsSince } from '../store/learnings/find.ts';
import { coverage } from './skill-scope.ts';
import { DAY } from '../platform/time.ts';

export const skillStaleness = {
  id: 'distill.skill-staleness',
  seeds: ['R14'],
  doc: 'Lists skills that are older than recent learnings on the same subject.',
  switch: flag(
    'REFLECT_SKILL_STALENESS',
    true,
    'List skills that are older than recent learnings they cover',
  ),
  knobs: {}, // REFLECT_STALENESS_DAYS, which it shares with session start, says how many days are recent
} satisfies PortCard;

const MOST_TOLD = 10;

/** Skills that were marked as stale, and those with newer learnings they cover. Computed on request, never stored. */
export function staleSkills(store: Store, root: string | null, resolve: UserResolve): StaleSkill[] {
  const { db } = store;
  const skills = skillsIn(db, root === null ? null : ['', root]);
  if (skills.length === 0) return [];
  const tasks = new Map(skillRefreshes(db).map((task) => [task.path, task]));
  const newer = resolve(skillStaleness.switch) ? newerLearnings(store, resolve) : () => [];
  return skills.flatMap(({ mtimeMs: _, ...skill }): StaleSkill[] => {
    const ours = promotedSkill(db, skill.path) !== null;
    const cause = findLearning(db, tasks.get(skill.path)?.learningId ?? '');
    if (skill.stale) return [{ skill, why: 'marked', learnings: cause ? [brief(cause)] : [], ours }];
    const learnings = newer(skill).slice(0, MOST_TOLD).map(brief);
    return learnings.length > 0 ? [{ skill, why: 'outdated', learnings, ours }] : [];
  });
}

/** The recent learnings a skill covers that were created or changed after its last refresh, the latest first. */
function newerLearnings({ db, now }: Store, resolve: UserResolve): (skill: Skill) => Subject[] {
  const projects = new Map(listProjects(db).map(({ root, id }) => [root, id]));
  const fresh = subjectsSince(db, now() - resolve(STALENESS_DAYS) * DAY).map((subject) => ({
    subject,
    isCoveredBy: coverage(subject),
  }));
  return (skill) =>
    fresh
      .filter(
        ({ subject, isCoveredBy }) =>
          subject.updatedAt > skill.refreshedAt && isSeenBy(skill, subject, projects) && isCoveredBy(skill),
      )
      .map(({ subject }) => subject);
}

/** A project's skill covers that project; a skill in the home folder covers all. */
const isSeenBy = ({ root }: Skill, { project }: Subject, projects: ReadonlyMap<string, string>) =>
  root === '' || project === '' || projects.get(root) === project;

const brief = ({ id, title, updatedAt }: Pick<Subject, 'id' | 'title' | 'updatedAt'>) => ({
  id,
  title,
  updatedAt,
});
