import type { Change, Learning, Note } from '#contract/entities.ts';
import { changeToUndo, markUndone } from '../store/changes.ts';
import { addLearning, asOneUnit, changeLearning, type Saved, type Store } from '../store/learning-write.ts';
import { addProof, findLearning } from '../store/learnings.ts';

/** Takes a new note into the knowledge base. Saying what is known already makes the known note better proven. */
export function learn(store: Store, note: Note, reason: string, actor: string): Saved {
  const saved = addLearning(store, note, { actor, kind: 'create', reason });
  if (saved.changeId === 0) addProof(store.db, saved.learning.id);
  return saved;
}

/** Takes a change back by putting its fields as they stood before; a creation is taken back by archiving. */
export function undo(store: Store, changeId: number | undefined, actor: string): { change: Change; learning: Learning | null } {
  const change = changeToUndo(store.db, changeId);
  if (!findLearning(store.db, change.learningId)) return { change, learning: null };
  const saved = asOneUnit(store, () => {
    const undone = changeLearning(store, change.learningId, asBefore(change), { actor, kind: 'undo', reason: `undoes ${change.kind}` });
    markUndone(store.db, change.id, undone.changeId);
    return undone;
  });
  return { change: { ...change, undone: true }, learning: saved.learning };
}

/** Only what that change touched: what was edited since in other fields stays. */
function asBefore({ before, fields }: Change): Partial<Note> {
  if (!before) return { status: 'archived' };
  return Object.fromEntries(Object.entries(before).filter(([field]) => fields.includes(field)));
}
