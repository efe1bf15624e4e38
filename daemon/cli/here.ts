import { DaemonError } from '#contract/errors.ts';
import { branchScope, identifyProject } from '../platform/project.ts';

/** The scope of a note written in this folder. */
export function projectHere(global = false): { project: string; scope: 'project' | 'global' } {
  const here = global ? null : identifyProject(process.cwd());
  return here ? { project: here.id, scope: 'project' } : { project: '', scope: 'global' };
}

export const PROJECT_FLAG = 'of one project: its id, or . for the current one';

/** The project a flag names: by its id, or with a dot the one of this folder. */
export function projectNamed(named: string, hint = 'name one'): string {
  if (named !== '.') return named;
  const { project } = projectHere();
  if (project === '') throw new DaemonError('bad-input', `This folder is in no project; ${hint}.`);
  return project;
}

/** The branch a person binds a note to: a named one, or with `true` the one checked out here. */
export function branchHere(named: string | true): string {
  const here = identifyProject(process.cwd());
  const branch = named === true ? branchScope(here?.branch, here?.trunk) : named;
  if (branch === null)
    throw new DaemonError('bad-input', 'Only the main branch is checked out here; name a branch.');
  return branch;
}
