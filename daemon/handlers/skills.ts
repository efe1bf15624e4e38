import type { Handlers } from '#contract/methods.ts';
import { identifyProject } from '../platform/project.ts';
import { listProjects } from '../store/learnings.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = Extract<keyof Handlers, `skills.${string}`>;

export function skillHandlers({ skills, store: { db } }: DaemonParts): Pick<Handlers, Methods> {
  const rootOf = (cwd: string | undefined) => (cwd === undefined ? null : (identifyProject(cwd)?.root ?? null));
  return {
    'skills.list': ({ cwd }) => skills.list(cwd === undefined ? null : (rootOf(cwd) ?? '')),
    'skills.find': ({ query, cwd, limit }) => skills.find(query, rootOf(cwd), limit),
    'skills.refresh': ({ cwd }) => {
      const here = rootOf(cwd);
      return skills.refresh([...listProjects(db).map(({ root }) => root), ...(here ? [here] : [])].filter(Boolean));
    },
  };
}
