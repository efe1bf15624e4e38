import { branchScope, identifyProject } from '../platform/project.ts';

/** The scope of a note written in this folder. */
export function projectHere(global = false): {
  project: string;
  branch: string | null;
  scope: 'project' | 'global';
} {
  const here = global ? null : identifyProject(process.cwd());
  return here
    ? { project: here.id, branch: branchScope(here.branch), scope: 'project' }
    : { project: '', branch: null, scope: 'global' };
}
