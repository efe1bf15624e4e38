import type { Learning, MergeQuestion, Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { asOneUnit, changeLearning, type Store } from '../store/learnings/write.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { shareChunks } from '../store/learnings/lineage.ts';
import { answerQuestion, getQuestion, latestForm } from '../store/learnings/questions.ts';
import { succeedingRelations, supersede } from './supersede.ts';

export type Answer = 'merge' | 'keep-both' | 'dismiss' | 'replace';

const STATES: Record<Answer, MergeQuestion['state']> = {
  merge: 'merged',
  'keep-both': 'kept-both',
  dismiss: 'dismissed',
  replace: 'replaced',
};

/** Carries out a person's decision about two notes as one event; undoing the returned change reopens the question. */
export function answerMerge(
  store: Store,
  id: number,
  answer: Answer,
  merged: Partial<Note>,
  actor: string,
): { changeId: number } {
  const question = getQuestion(store.db, id);
  if (question.state !== 'open')
    throw new DaemonError('conflict', `question ${id} is already answered: ${question.state}`);
  const incoming = getLearning(store.db, question.incomingId);
  if (incoming.supersededBy !== null)
    throw new DaemonError('conflict', `${incoming.id} is already merged into ${incoming.supersededBy}`);
  return asOneUnit(store, () => {
    const changeId = carryOut(
      store,
      answer,
      getLearning(store.db, latestForm(store.db, question.existingId)),
      incoming,
      merged,
      actor,
    );
    answerQuestion(store.db, id, STATES[answer], changeId);
    return { changeId };
  });
}

/** Returns the first change; undoing it undoes all of them. */
function carryOut(
  store: Store,
  answer: Answer,
  existing: Learning,
  incoming: Learning,
  merged: Partial<Note>,
  actor: string,
): number {
  switch (answer) {
    case 'merge':
      return mergeInto(store, existing, incoming, merged, actor);
    case 'replace':
      return replace(store, existing, incoming, actor);
    case 'keep-both':
      return changeLearning(
        store,
        incoming.id,
        { status: 'active' },
        { actor, kind: 'restore', reason: `kept as well as ${existing.id}` },
      ).changeId;
    case 'dismiss':
      return changeLearning(
        store,
        incoming.id,
        { status: 'rejected' },
        { actor, kind: 'archive', reason: `adds nothing to ${existing.id}` },
      ).changeId;
  }
}

/** Merges two notes into one with the proofs of both. */
function mergeInto(
  store: Store,
  existing: Learning,
  incoming: Learning,
  merged: Partial<Note>,
  actor: string,
): number {
  const together: Partial<Note> = {
    tags: [...new Set([...existing.tags, ...incoming.tags])],
    confidence: Math.max(existing.confidence, incoming.confidence),
    entities: [
      ...existing.entities,
      ...incoming.entities.filter(
        ({ name }) => !existing.entities.some((known) => known.name.toLowerCase() === name.toLowerCase()),
      ),
    ],
    relations: [
      ...existing.relations,
      ...incoming.relations.filter(
        (edge) =>
          !existing.relations.some(
            (known) =>
              known.source === edge.source && known.target === edge.target && known.type === edge.type,
          ),
      ),
    ],
    ...merged,
  };
  if (merged.relations)
    together.relations = succeedingRelations(existing.relations, merged.relations, store.now());
  const { changeId } = changeLearning(store, existing.id, together, {
    actor,
    kind: 'merge',
    reason: `merged with ${incoming.id}`,
    proofs: incoming.signals.proofCount,
  });
  shareChunks(store.db, incoming.id, existing.id);
  supersede(store, incoming.id, existing.id, {
    actor,
    kind: 'supersede',
    reason: `merged into ${existing.id}`,
    unit: changeId,
  });
  return changeId;
}

/** Replaces the existing note with the incoming one. */
function replace(store: Store, existing: Learning, incoming: Learning, actor: string): number {
  const { changeId } = changeLearning(
    store,
    incoming.id,
    { status: 'active', isLatest: true },
    { actor, kind: 'restore', reason: `replaces ${existing.id}` },
  );
  supersede(store, existing.id, incoming.id, {
    actor,
    kind: 'supersede',
    reason: `replaced by ${incoming.id}`,
    unit: changeId,
  });
  return changeId;
}
