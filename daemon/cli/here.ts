import { DaemonError } from '#contract/errors.ts';
import { branchScope, identifyProject } from '../platform/project.ts';

/** The scope of a note written in this folder. */
export function projectHere(global = false): { project: string; scope: 'project' | 'global' } {
  const here = global ? null : identifyProject(process.cwd());
  return here ? { project: here.id, scope: 'project' } : { project: '', scope: 'global' };
}

/** The project a flag names: by its id, or with a dot the one of this folder. */
export function projectNamed(named: string): string {
  if (named !== '.') return named;
  const { project } = projectHere();
  if (project === '') throw new DaemonError('bad-input', 'This folder is in no project; name one.');
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
