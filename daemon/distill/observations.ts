import { jaccard } from '../text/similarity.ts';
import { createHash } from 'node:crypto';
import type { Observation, ObservationAction, ObservationsRevised } from '#contract/distill.ts';
import type { Learning } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { contradicts, seemsOpposite } from '../knowledge/contradictions.ts';
import { flag, integer, number, type Resolve } from '../ports/knob.ts';
import type { PortCard } from '../ports/port.ts';
import { knowledgeVersion } from '../store/learnings/history.ts';
import { changedSince, evidenceOf } from '../store/distill/consolidation.ts';
import { outdateConventions } from '../store/distill/conventions.ts';
import type { Store } from '../store/learnings/write.ts';
import { findLearning, findLive, getLearning, isLive, learningsBySeq } from '../store/learnings/learnings.ts';
import { getMeta, setMeta } from '../store/meta.ts';
import {
  findObservation,
  getObservation,
  listObservations,
  observationsOfLearnings,
  putObservation,
  recordObservation,
} from '../store/distill/observations.ts';
import { searchByWords } from '../store/search/words.ts';
import { shardsIn } from '../store/search/shards.ts';
import { wordsOf } from './clusters.ts';
import { ACTOR } from './consolidation.ts';
import { drawPersona } from './persona.ts';
import { fieldIn } from './persona-fields.ts';

export const observations = {
  id: 'distill.observations',
  seeds: ['O1'],
  doc: 'Collects corrections you repeat into one observation each, with how often you said it.',
  switch: flag('REFLECT_OBSERVATIONS', true, 'Collect observations from corrections and preferences'),
  knobs: {
    sessions: integer('REFLECT_OBSERVATION_SESSIONS', {
      default: 2,
      min: 1,
      max: 100,
      doc: 'The number of sessions in which something must be said to become an observation',
    }),
    similarity: number('REFLECT_OBSERVATION_SIMILARITY', {
      default: 0.6,
      min: 0.1,
      max: 1,
      doc: 'The share of words two corrections must have in common to count as the same',
    }),
  },
} satisfies PortCard;

type Action<A extends ObservationAction['action']> = Extract<ObservationAction, { action: A }>;

const LEARNINGS_GONE = 'the learnings it was drawn from are gone';
const OBSERVED_TYPES = ['correction', 'preference', 'policy'];

/** Carries out the actions one by one. A refused one is reported with its position; the others still apply. */
export function reviseObservations(
  store: Store,
  actions: readonly ObservationAction[],
  actor: string,
  resolve: Resolve,
): ObservationsRevised {
  const result: ObservationsRevised = {
    created: 0,
    updated: 0,
    deleted: 0,
    restored: 0,
    skipped: 0,
    createdIds: [],
    errors: [],
  };
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
  const id = `obs-${createHash('sha256').update(`${project}\n${content.toLowerCase()}`).digest('hex').slice(0, 12)}`;
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

const OBSERVED_THROUGH = 'observed-through';

/** Reads corrections since the last run. Said in enough sessions, one becomes an observation; said again, it proves one. */
export function* gatherObservations(store: Store, resolve: Resolve): Generator<void, ObservationsRevised> {
  const { db } = store;
  const total: ObservationsRevised = {
    created: 0,
    updated: 0,
    deleted: 0,
    restored: 0,
    skipped: 0,
    createdIds: [],
    errors: [],
  };
  if (!resolve(observations.switch)) return total;
  const through = knowledgeVersion(db);
  const seen = Number(getMeta(db, OBSERVED_THROUGH) ?? 0);
  // After an import of an older knowledge base, its change numbers start lower.
  for (const id of changedSince(db, seen > through ? 0 : seen, OBSERVED_TYPES)) {
    const learning = findLearning(db, id);
    const actions = learning ? actionsFor(store, learning, resolve) : [];
    const revised = reviseObservations(store, actions, ACTOR, resolve);
    for (const key of ['created', 'updated', 'deleted', 'restored', 'skipped'] as const)
      total[key] += revised[key];
    total.createdIds.push(...revised.createdIds);
    yield;
  }
  setMeta(db, OBSERVED_THROUGH, String(through));
  return total;
}

function actionsFor(store: Store, learning: Learning, resolve: Resolve): ObservationAction[] {
  const { db } = store;
  const [own] = observationsOfLearnings(db, [learning.id]);
  if (!isLive(learning))
    return own?.status === 'active' && !own.learnings.some((id) => findLive(db, id))
      ? [{ action: 'DELETE', targetId: own.id, reason: LEARNINGS_GONE }]
      : [];
  const known = own ?? likeliest(listObservations(db, [placeOf(learning)], null), learning, resolve);
  const { sources, sessions } = evidenceOf(db, learning.id, learning);
  if (known?.status === 'retired' && known.retiredReason !== LEARNINGS_GONE) return []; // a person retired it
  if (known) {
    const again: ObservationAction[] =
      known.status === 'retired'
        ? [{ action: 'RESTORE', targetId: known.id, reason: 'its learning is back' }]
        : [];
    return [
      ...again,
      { action: 'UPDATE', targetId: known.id, ids: sources, learnings: [learning.id], reason: 'said again' },
    ];
  }
  return firstObservation(store, learning, { sources, sessions }, resolve);
}

/** A correction that was not said often enough counts together with others that say nearly the same. */
function firstObservation(
  store: Store,
  learning: Learning,
  own: { sources: string[]; sessions: string[] },
  resolve: Resolve,
): ObservationAction[] {
  const alike = nearlySame(store, learning, resolve);
  const evidence = [own, ...alike.map((other) => evidenceOf(store.db, other.id, other))];
  const sessions = new Set(evidence.flatMap((each) => each.sessions));
  if (sessions.size < resolve(observations.knobs.sessions)) return [];
  const best =
    [learning, ...alike].toSorted(
      (a, b) => b.signals.proofCount - a.signals.proofCount || a.createdAt - b.createdAt,
    )[0] ?? learning;
  return [
    {
      action: 'CREATE',
      content: best.title.slice(0, 1_000),
      project: placeOf(learning),
      category: best.category,
      ids: [...new Set(evidence.flatMap(({ sources }) => sources))],
      learnings: [learning, ...alike].map(({ id }) => id),
      reason: `said in ${sessions.size} sessions`,
    },
  ];
}

const placeOf = ({ scope, project }: Learning) => (scope === 'global' ? '' : project);

/** Other live corrections of the same place that say nearly the same. */
function nearlySame({ db }: Store, learning: Learning, resolve: Resolve): Learning[] {
  const place = placeOf(learning);
  const shards = shardsIn(db, { project: place, branch: null, allBranches: true, everywhere: false });
  const seqs = searchByWords(db, learning.title, shards, MOST_COMPARED).map(({ seq }) => seq);
  return [...learningsBySeq(db, seqs).values()].filter(
    (other) =>
      other.id !== learning.id &&
      OBSERVED_TYPES.includes(other.type) &&
      placeOf(other) === place &&
      saysTheSame(other.title, learning.title, resolve),
  );
}

const MOST_COMPARED = 50;

function likeliest(
  known: readonly Observation[],
  { title }: Learning,
  resolve: Resolve,
): Observation | undefined {
  const words = wordsOf(title, []);
  return known
    .filter(({ content }) => saysTheSame(content, title, resolve))
    .toSorted((a, b) => jaccard(wordsOf(b.content, []), words) - jaccard(wordsOf(a.content, []), words))[0];
}

function saysTheSame(one: string, other: string, resolve: Resolve): boolean {
  return (
    jaccard(wordsOf(one, []), wordsOf(other, [])) >= resolve(observations.knobs.similarity) &&
    !contradicts(one, other) &&
    !seemsOpposite(one, other)
  );
}
