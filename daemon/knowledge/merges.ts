import type { Note } from '#contract/entities.ts';
import { DaemonError } from '#contract/errors.ts';
import { asOneUnit, changeLearning, type Store } from '../store/learning-write.ts';
import { addProof, getLearning } from '../store/learnings.ts';
import { shareChunks } from '../store/lineage.ts';
import { answerQuestion, getQuestion } from '../store/questions.ts';

type Answer = 'merge' | 'keep-both' | 'dismiss';
const PERSON = 'person';

/** Carries out what a person decided about two notes that say nearly the same. Each part can be undone like any change. */
export function answerMerge(store: Store, id: number, answer: Answer, merged: Partial<Note> = {}): void {
  const question = getQuestion(store.db, id);
  if (question.state !== 'open') throw new DaemonError('conflict', `merge question ${id} was answered: ${question.state}`);
  const incoming = getLearning(store.db, question.incomingId);
  asOneUnit(store, () => {
    switch (answer) {
      case 'merge':
        mergeInto(store, question.existingId, incoming.id, merged);
        return answerQuestion(store.db, id, 'merged');
      case 'keep-both':
        changeLearning(store, incoming.id, { status: 'active' }, { actor: PERSON, kind: 'restore', reason: 'kept beside a similar one' });
        return answerQuestion(store.db, id, 'kept-both');
      case 'dismiss':
        changeLearning(store, incoming.id, { status: 'rejected' }, { actor: PERSON, kind: 'archive', reason: 'says nothing new' });
        return answerQuestion(store.db, id, 'dismissed');
    }
  });
}

function mergeInto(store: Store, existingId: string, incomingId: string, merged: Partial<Note>): void {
  const existing = getLearning(store.db, existingId);
  const incoming = getLearning(store.db, incomingId);
  const together: Partial<Note> = { tags: [...new Set([...existing.tags, ...incoming.tags])], confidence: Math.max(existing.confidence, incoming.confidence), ...merged };
  changeLearning(store, existingId, together, { actor: PERSON, kind: 'merge', reason: `merged with ${incomingId}` });
  addProof(store.db, existingId);
  shareChunks(store.db, incomingId, existingId);
  changeLearning(store, incomingId, { status: 'superseded', isLatest: false, supersededBy: existingId }, { actor: PERSON, kind: 'supersede', reason: `merged into ${existingId}` });
}
