import type { Observation, ObservationAction, ObservationsRevised } from '#contract/distill.ts';
import { DaemonError } from '#contract/errors.ts';
import type { UserResolve } from '../ports/knob.ts';
import { outdateConventions } from '../store/distill/conventions.ts';
import {
  findObservation,
  getObservation,
  putObservation,
  recordObservation,
} from '../store/distill/observations.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import type { Store } from '../store/learnings/write.ts';
import { fieldIn } from '../knowledge/attributes.ts';
import { drawPersona } from './persona.ts';
import { sha256 } from '../platform/sha256.ts';

type Action<A extends ObservationAction['action']> = Extract<ObservationAction, { action: A }>;

/** The result before any action was carried out. */
export const noneRevised = (): ObservationsRevised => ({
  created: 0,
  updated: 0,
  deleted: 0,
  restored: 0,
  skipped: 0,
  createdIds: [],
  errors: [],
});

/** Adds what one revision did to a total. */
export function addRevised(total: ObservationsRevised, revised: ObservationsRevised): void {
  for (const key of ['created', 'updated', 'deleted', 'restored', 'skipped'] as const)
    total[key] += revised[key];
  total.createdIds.push(...revised.createdIds);
}

/** Carries out the actions one by one. A refused one is reported with its position; the others still apply. */
export function reviseObservations(
  store: Store,
  actions: readonly ObservationAction[],
  actor: string,
  resolve: UserResolve,
): ObservationsRevised {
  const result = noneRevised();
  const touched = new Set<string>();
  for (const [index, action] of actions.entries()) {
    try {
      const { done, observation } = carryOut(store, action, actor);
      if (done === 'created') result.createdIds.push(observation.id);
      result[done] += 1;
      if (done !== 'skipped') touched.add(observation.project);
    } catch (error) {
      if (!(error instanceof DaemonError)) throw error;
      result.errors.push({ index, message: error.message });
    }
  }
  for (const project of touched) drawPersona(store, project, resolve);
  return result;
}

type Outcome = { done: 'created' | 'updated' | 'deleted' | 'restored' | 'skipped'; observation: Observation };

function carryOut(store: Store, action: ObservationAction, actor: string): Outcome {
  switch (action.action) {
    case 'CREATE':
      return create(store, action, actor);
    case 'UPDATE':
      return update(store, action, actor);
    case 'DELETE':
      return retire(store, action, actor);
    case 'RESTORE':
      return restore(store, action, actor);
  }
}

function create(store: Store, action: Action<'CREATE'>, actor: string): Outcome {
  const { content, project, category, ids, learnings } = action;
  if ((action.field === undefined) !== (action.value === undefined))
    throw new DaemonError('bad-input', 'a field needs a value, and a value a field');
  refuseUnknown(store, learnings);
  const id = `obs-${sha256(`${project}\n${content.toLowerCase()}`).slice(0, 12)}`;
  const known = findObservation(store.db, id);
  // The same words again are evidence for the known observation.
  if (known)
    return update(store, { action: 'UPDATE', targetId: id, ids, learnings, reason: action.reason }, actor);
  const read = action.field && action.value ? { field: action.field, value: action.value } : fieldIn(content);
  const sources = [...new Set(ids)];
  const at = store.now();
  return save(
    store,
    null,
    {
      id,
      project,
      content,
      category,
      field: read?.field ?? '',
      value: read?.value ?? '',
      status: 'active',
      retiredReason: '',
      proofCount: Math.max(1, sources.length),
      sources,
      learnings: [...new Set(learnings)],
      createdAt: at,
      updatedAt: at,
    },
    action,
    actor,
    'created',
  );
}

function update(store: Store, action: Action<'UPDATE'>, actor: string): Outcome {
  const known = getObservation(store.db, action.targetId);
  if (known.status === 'retired')
    throw new DaemonError('conflict', `${known.id} was retired: ${known.retiredReason}`);
  refuseUnknown(store, action.learnings);
  const sources = [...new Set([...known.sources, ...action.ids])];
  const added = action.ids.length === 0 ? 1 : sources.length - known.sources.length;
  const learnings = [...new Set([...known.learnings, ...action.learnings])];
  const { content = known.content, category = known.category } = action;
  const changes =
    added > 0 ||
    content !== known.content ||
    category !== known.category ||
    learnings.length > known.learnings.length;
  if (!changes) return { done: 'skipped', observation: known };
  const read = content === known.content ? null : fieldIn(content);
  return save(
    store,
    known,
    { ...known, ...read, content, category, sources, learnings, proofCount: known.proofCount + added },
    action,
    actor,
    'updated',
  );
}

function retire(store: Store, action: Action<'DELETE'>, actor: string): Outcome {
  const known = getObservation(store.db, action.targetId);
  if (known.status === 'retired') return { done: 'skipped', observation: known };
  return save(
    store,
    known,
    { ...known, status: 'retired', retiredReason: action.reason },
    action,
    actor,
    'deleted',
  );
}

function restore(store: Store, action: Action<'RESTORE'>, actor: string): Outcome {
  const known = getObservation(store.db, action.targetId);
  if (known.status === 'active') return { done: 'skipped', observation: known };
  return save(store, known, { ...known, status: 'active', retiredReason: '' }, action, actor, 'restored');
}

function refuseUnknown({ db }: Store, learnings: readonly string[]): void {
  for (const id of learnings) getLearning(db, id);
}

/** Records the version before and marks its documents as stale, in one transaction. */
function save(
  { db, now }: Store,
  before: Observation | null,
  after: Observation,
  { action, reason }: ObservationAction,
  actor: string,
  done: Outcome['done'],
): Outcome {
  const observation = { ...after, updatedAt: now() };
  db.transaction(() => {
    putObservation(db, observation);
    recordObservation(db, { at: now(), actor, action, observationId: observation.id, reason, before });
    outdateConventions(db, observation.project);
  })();
  return { done, observation };
}
