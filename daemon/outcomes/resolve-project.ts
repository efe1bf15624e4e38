import type { Where } from '#contract/outcomes.ts';
import type { Note } from '#contract/entities.ts';
import { branchScope, identifyProject } from '../platform/project.ts';

export interface ResolvedProject {
  /** Null outside of any project. */
  project: string | null;
  branch: string | null;
  root: string | undefined;
}

/** The project and branch that something is asked from or told about. */
export function resolveProject({ cwd, project, branch }: Where): ResolvedProject {
  const here = cwd ? identifyProject(cwd) : null;
  return {
    project: project ?? here?.id ?? null,
    branch: branch ?? branchScope(project === undefined ? here?.branch : null),
    root: here?.root,
  };
}

/** Where a note from there belongs: to its project, or to everyone when there is none. */
export function scopeOf({ project, branch }: ResolvedProject): Pick<Note, 'project' | 'branch' | 'scope'> {
  return project ? { project, branch, scope: 'project' } : { project: '', branch: null, scope: 'global' };
}
