import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import type { Note } from '#contract/entities.ts';
import { excerptOf } from '../drain/excerpt.ts';
import { changeMany } from '../knowledge/change-many.ts';
import { learn, undoing } from '../knowledge/revise.ts';
import { inTurns } from '../platform/turns.ts';
import { historyOf } from '../store/learnings/history.ts';
import { changeLearning } from '../store/learnings/write.ts';
import { countFacets, listLearnings } from '../store/learnings/list.ts';
import { getLearning, listProjects } from '../store/learnings/learnings.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { placeOf } from './place.ts';

export function learningHandlers({ store, signal }: DaemonParts) {
  const { db } = store;
  const setStatus = (id: string, status: Note['status'], kind: 'archive' | 'restore', reason: string) =>
    changeLearning(store, id, { status }, { actor: 'person', kind, reason });
  return {
    'learnings.list': ({ facets, ...filter }) => ({
      ...listLearnings(db, filter),
      facets: facets ? countFacets(db, filter) : {},
    }),
    'learnings.get': ({ id }) => getLearning(db, id),
    'learnings.create': ({ note, cwd, reason }) =>
      learn(store, { ...note, ...placeOf(note, cwd) }, reason || 'added by hand', 'person'),
    'learnings.update': ({ id, patch, seenUpdatedAt, reason }) => {
      const { updatedAt } = getLearning(db, id);
      if (seenUpdatedAt !== undefined && seenUpdatedAt !== updatedAt)
        throw new DaemonError('conflict', 'the learning has changed since; reload it');
      return changeLearning(store, id, patch, {
        actor: 'person',
        kind: 'update',
        reason: reason || 'edited',
      });
    },
    'learnings.archive': ({ id, reason }) => setStatus(id, 'archived', 'archive', reason),
    'learnings.restore': ({ id, reason }) => setStatus(id, 'active', 'restore', reason),
    'learnings.changeMany': ({ ids, ...change }) => changeMany(store, ids, change, 'person'),
    'learnings.history': ({ id }) => {
      getLearning(db, id); // an unknown id is an error, not an empty history
      return historyOf(db, id);
    },
    'learnings.excerpt': ({ id }) => excerptOf(db, getLearning(db, id)),
    'changes.undo': ({ changeId }) => inTurns(undoing(store, changeId, 'person'), signal, { rests: false }),
    'projects.list': () => listProjects(db),
  } satisfies Partial<Handlers>;
}
