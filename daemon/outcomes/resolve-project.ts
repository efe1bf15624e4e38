import type { Where } from '#contract/outcomes.ts';
import type { Note } from '#contract/entities.ts';
import { branchScope, identifyProject } from '../platform/project.ts';

export interface ResolvedProject {
  /** Null outside of a project. */
  project: string | null;
  branch: string | null;
  root: string | undefined;
}

/** Finds the project and branch of a request: named ones first, otherwise those of its folder. */
export function resolveProject({ cwd, project, branch }: Where): ResolvedProject {
  const here = cwd ? identifyProject(cwd) : null;
  return {
    project: project ?? here?.id ?? null,
    branch: branch ?? branchScope(project === undefined ? here?.branch : null),
    root: here?.root,
  };
}

/** The scope of a note from this project; global outside of a project. Only a branch that was named binds it. */
export function scopeOf(
  { project }: ResolvedProject,
  { branch }: Pick<Where, 'branch'> = {},
): Pick<Note, 'project' | 'branch' | 'scope'> {
  return project
    ? { project, branch: branchScope(branch), scope: 'project' }
    : { project: '', branch: null, scope: 'global' };
}
