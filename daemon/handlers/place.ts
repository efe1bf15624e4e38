import type { Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { projectAt } from './distill.ts';

/** Agents everywhere get a note of no project, so that has to be asked for. */
export function placeOf(
  { project, scope }: Pick<Note, 'project' | 'scope'>,
  cwd: string | undefined,
): Pick<Note, 'project'> {
  if (scope === 'global' || project !== '') return { project };
  if (cwd !== undefined) return { project: projectAt(cwd).id };
  throw new DaemonError(
    'bad-input',
    'name the project of the note or its folder (cwd), or set its scope to "global" for every project',
  );
}
