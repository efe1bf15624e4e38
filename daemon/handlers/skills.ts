import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import { demote, previewSkill, promote, skilledAgents } from '../distill/promote.ts';
import { staleSkills } from '../distill/skill-staleness.ts';
import { identifyProject } from '../platform/project.ts';
import { listProjects, rememberProject } from '../store/learnings/learnings.ts';
import { confirmSkill } from '../store/distill/skills.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { projectAt } from './distill.ts';

export function skillHandlers({ skills, store, settings, promotion, now }: DaemonParts) {
  const { db } = store;
  const rootOf = (cwd: string | undefined) =>
    cwd === undefined ? null : (identifyProject(cwd)?.root ?? null);
  const refresh = (cwd: string | undefined) => {
    const here = rootOf(cwd);
    return skills.refresh(
      [...listProjects(db).map(({ root }) => root), ...(here ? [here] : [])].filter(Boolean),
    );
  };
  return {
    'skills.list': ({ cwd }) => skills.list(cwd === undefined ? null : (rootOf(cwd) ?? '')),
    'skills.find': ({ query, cwd, limit }) => skills.find(query, rootOf(cwd), limit),
    'skills.refresh': ({ cwd }) => refresh(cwd),
    'skills.stale': ({ cwd }) =>
      staleSkills(store, cwd === undefined ? null : (rootOf(cwd) ?? ''), settings.resolver()),
    'skills.confirm': ({ path, confirmed }) => {
      if (!confirmSkill(db, path, confirmed, now()))
        throw new DaemonError('not-found', `no skill at ${path}`);
      return { ok: true };
    },
    'skills.agents': () => skilledAgents(promotion),
    'skills.preview': ({ cwd, ...how }) =>
      previewSkill(promotion, { ...how, root: chosen(cwd)?.root ?? null }),
    'skills.promote': ({ cwd, ...how }) => {
      const here = chosen(cwd);
      const written = promote(promotion, { ...how, root: here?.root ?? null });
      if (here) rememberProject(db, here, now());
      refresh(cwd); // so that the index has it at once
      return written;
    },
    'skills.demote': ({ path }) => {
      demote(promotion, path);
      refresh(undefined);
      return { ok: true };
    },
  } satisfies Partial<Handlers>;
}

/** Null for the agent's home; a folder outside a project is refused rather than taken for the home. */
const chosen = (cwd: string | undefined) => (cwd === undefined ? null : projectAt(cwd));
