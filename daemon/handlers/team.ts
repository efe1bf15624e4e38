import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import { identifyProject } from '../platform/project.ts';
import { allLive, liveOfProject } from '../store/learnings/learnings.ts';
import { GitFolder } from '../team/git-sync.ts';
import type { DaemonParts } from './daemon-parts.ts';

interface Named {
  ids: string[];
  project?: string | undefined;
  cwd?: string | undefined;
}

export function teamHandlers({ team, store, signal }: DaemonParts) {
  const idsOf = ({ ids, project, cwd }: Named) => {
    if (ids.length > 0) return ids;
    const found = liveOfProject(store.db, projectOf(project, cwd));
    if (found.length === 0) throw new DaemonError('not-found', 'This project has no live notes.');
    return found;
  };
  return {
    'team.create': ({ url, space }) => team.remote.create(url, space),
    'team.inspect': ({ cwd, ...input }) => team.remote.inspect({ ...input, here: hereOf(cwd) }),
    'team.join': ({ cwd, ...input }) => team.join({ ...input, here: hereOf(cwd) }),
    'team.status': () => team.status(),
    'team.preview': (input) => team.previewPublishing(input.space, idsOf(input)),
    'team.publish': (input) => team.publish(input.space, idsOf(input)),
    'team.retract': ({ space, id }) => team.retract(space, id),
    'team.decline': ({ space, id, declined }) => {
      team.decline(space, id, declined);
      return { ok: true };
    },
    'team.policy': ({ space, project, cwd, policy }) =>
      team.setPolicy(space, projectOf(project, cwd), policy),
    'team.log': ({ space, limit }) => team.remote.log(space, limit),
    'team.members': ({ space }) => team.remote.members(space),
    'team.setMember': ({ space, login, role }) => team.remote.setMember(space, login, role),
    'team.exportGit': ({ folder, project, cwd }) =>
      new GitFolder({ store, signal }, folder).export(
        project === undefined ? allLive(store.db) : liveOfProject(store.db, projectOf(project, cwd)),
      ),
    'team.syncGit': ({ folder }) => new GitFolder({ store, signal }, folder).sync(),
    'team.leave': ({ space, notes }) => team.leave(space, notes),
  } satisfies Partial<Handlers>;
}

const hereOf = (cwd: string | undefined) => (cwd === undefined ? null : identifyProject(cwd));

/** The named project; `.` or nothing is the one of the folder. */
function projectOf(project: string | undefined, cwd: string | undefined): string {
  if (project !== undefined && project !== '.') return project;
  const here = hereOf(cwd);
  if (!here) throw new DaemonError('bad-input', 'Name notes or a project.');
  return here.id;
}
