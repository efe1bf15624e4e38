import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import {
  conventionsDocument,
  getConventions,
  linkConventions,
  refreshConventions,
  unlinkConventions,
} from '../distill/conventions.ts';
import { reviseObservations } from '../distill/observation-actions.ts';
import { decidePrinciple, proposedPrinciples } from '../distill/principle.ts';
import { identifyProject, type ProjectIdentity } from '../platform/project.ts';
import { rememberProject } from '../store/learnings/learnings.ts';
import { getObservation, listObservations, observationHistory } from '../store/distill/observations.ts';
import { personaOf } from '../store/distill/persona.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function distillHandlers(parts: DaemonParts) {
  const { store, settings, distiller, paths, now } = parts;
  const { db } = store;
  const documents = { store, folder: paths.conventions };
  return {
    'distill.status': () => distiller.status(),
    'distill.run': (how) => distiller.run(how),
    'principles.list': () => proposedPrinciples(db),
    'principles.decide': ({ id, action, title, rule }) =>
      decidePrinciple(store, id, action === 'accept', {
        ...(title === undefined ? {} : { title }),
        ...(rule === undefined ? {} : { rule }),
      }),
    'observations.list': ({ status, limit, ...where }) =>
      listObservations(db, isEverywhere(where) ? null : [projectOf(where)], status ?? null, limit),
    'observations.revise': ({ actions, actor }) => {
      const revised = reviseObservations(store, actions, actor, settings.resolver());
      distiller.wake();
      return revised;
    },
    'observations.history': ({ id }) => observationHistory(db, getObservation(db, id).id),
    'conventions.get': (where) => getConventions(documents, projectOf(where)),
    'conventions.refresh': (where) => refreshConventions(documents, projectOf(where)),
    'conventions.link': ({ cwd }) => {
      const here = projectAt(cwd);
      rememberProject(db, here, now());
      return linkConventions(documents, here.id, here.root);
    },
    'conventions.unlink': ({ cwd }) => unlinkConventions(documents, projectAt(cwd).id, projectAt(cwd).root),
    'persona.list': (where) =>
      personaOf(db, projectOf(where)).map((fact) => ({ project: projectOf(where), ...fact })),
  } satisfies Partial<Handlers>;
}

interface Where {
  project?: string | undefined;
  cwd?: string | undefined;
}

const isEverywhere = ({ project, cwd }: Where) => project === undefined && cwd === undefined;
const projectOf = ({ project, cwd }: Where) => project ?? (cwd === undefined ? '' : projectAt(cwd).id);

/** The project of a folder; a folder outside of any is refused. */
export function projectAt(cwd: string): ProjectIdentity {
  const here = identifyProject(cwd);
  if (!here) throw new DaemonError('not-found', `${cwd} is not in a project`);
  return here;
}

/** The conventions a session start points to, while they are up to date. */
export function freshConventions({
  store,
  paths,
  settings,
}: DaemonParts): (project: string) => string | null {
  return (project) => {
    if (!settings.resolver()(conventionsDocument.switch)) return null;
    const { stale, observations, path } = getConventions({ store, folder: paths.conventions }, project);
    return stale || observations === 0 ? null : path;
  };
}
