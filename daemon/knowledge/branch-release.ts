import type { Learning } from '#contract/entities.ts';
import { wasUndone } from '../store/learnings/history.ts';
import { getLearning } from '../store/learnings/learnings.ts';
import { changeLearning, type Store } from '../store/learnings/write.ts';

/** The key of a note's metadata that says why it belongs to a branch only. */
export const BRANCH_REASON = 'branchReason';
export const BRANCH_ACTOR = 'branches';

/** Makes a branch's learning the project's, unless a person undid that before. It keeps its date. */
export function releaseFromBranch(store: Store, { id, metadata }: Learning, reason: string): Learning {
  if (wasUndone(store.db, id, BRANCH_ACTOR)) return getLearning(store.db, id);
  const { [BRANCH_REASON]: _, ...rest } = metadata;
  return changeLearning(
    store,
    id,
    { branch: null, metadata: rest },
    { actor: BRANCH_ACTOR, kind: 'move', reason, keepsDate: true },
  ).learning;
}

/** A lesson that comes up outside of its branch is not the branch's alone. Without a known place nothing follows. */
export function releaseIfElsewhere(
  store: Store,
  learning: Learning,
  branch: string | null | undefined,
): Learning {
  if (learning.branch === null || branch === undefined || learning.branch === branch) return learning;
  const where = branch === null ? `outside of ${learning.branch}` : `on ${branch}`;
  return releaseFromBranch(store, learning, `it came up again ${where}`);
}
