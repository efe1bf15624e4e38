import type { Change, Learning } from '#contract/entities.ts';
import type { Skill } from '#contract/skills.ts';
import { flag, type UserResolve } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import type { Store } from '../store/learnings/write.ts';
import { projectRoot } from '../store/learnings/learnings.ts';
import { listPromotedSkills, markSkillStale, queueSkillRefresh, skillsIn } from '../store/distill/skills.ts';
import { coverage } from './skill-scope.ts';

export const skillRefresh = {
  id: 'distill.skill-refresh',
  seeds: ['R13'],
  doc: 'Stops offering a skill when a learning it covers is changed or retired, until the skill itself is updated.',
  switch: flag('REFLECT_SKILL_REFRESH', true, 'Mark skills stale when what they cover changes'),
  knobs: {},
} satisfies PortCard;

/** Kinds of change that do not make a skill wrong: new learnings and more proofs. */
const CHANGES_MEANING: ReadonlySet<Change['kind']> = new Set([
  'update',
  'archive',
  'supersede',
  'revert',
  'merge',
  'undo',
]);

/** Notes no skill could have been made of. */
const NEVER_LEARNINGS: ReadonlySet<Learning['status']> = new Set(['candidate', 'proposed', 'rejected']);

interface SkillsMarked {
  marked: number;
  /** Refreshes that were not already queued, one per skill. */
  queued: number;
}

/** Marks the skills that cover a changed learning as stale and queues a refresh for each. */
export function markSkillsFor(
  { db, now }: Store,
  learning: Learning,
  kind: Change['kind'],
  resolve: UserResolve,
): SkillsMarked {
  const done: SkillsMarked = { marked: 0, queued: 0 };
  if (!CHANGES_MEANING.has(kind) || NEVER_LEARNINGS.has(learning.status) || !resolve(skillRefresh.switch))
    return done;
  const isCoveredBy = coverage(learning);
  const madeOfIt = new Set(
    listPromotedSkills(db)
      .filter(({ learningId }) => learningId === learning.id)
      .map(({ path }) => path),
  );
  const root = projectRoot(db, learning.project);
  const isReached = (skill: Skill) => learning.scope === 'global' || skill.root === '' || skill.root === root;
  for (const skill of skillsIn(db, null).filter(
    (each) => madeOfIt.has(each.path) || (isReached(each) && isCoveredBy(each)),
  )) {
    markSkillStale(db, skill.path);
    done.marked += 1;
    if (
      queueSkillRefresh(db, {
        path: skill.path,
        at: now(),
        learningId: learning.id,
        reason: `${kind}: ${learning.title}`,
      })
    )
      done.queued += 1;
  }
  return done;
}
