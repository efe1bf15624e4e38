import type { Asked, Output } from '#contract/methods.ts';
import type { Learning, Note } from '#contract/entities.ts';
import { asOneUnit, changeLearning, type Reason, type Store } from '../store/learnings/write.ts';
import { getLearning } from '../store/learnings/learnings.ts';

export type ManyChange = Omit<Asked<'learnings.changeMany'>, 'ids'>;

/** Changes many learnings as one event; those that already match are skipped. An unknown id refuses the whole event. */
export function changeMany(
  store: Store,
  ids: string[],
  change: ManyChange,
  actor: string,
): Output<'learnings.changeMany'> {
  return asOneUnit(store, () => {
    let first: number | undefined;
    let changed = 0;
    for (const learning of [...new Set(ids)].map((id) => getLearning(store.db, id))) {
      const patch = patchFor(learning, change);
      if (Object.keys(patch).length === 0) continue;
      const why: Reason = {
        actor,
        kind: kindOf(patch),
        reason: change.reason || 'changed together with others',
        unit: first,
      };
      const { changeId } = changeLearning(store, learning.id, patch, why);
      first ??= changeId;
      changed++;
    }
    return { changed, changeId: first ?? null };
  });
}

function patchFor(
  learning: Learning,
  { status, project, addTags = [], removeTags = [] }: ManyChange,
): Partial<Note> {
  const tags = [...new Set([...learning.tags.filter((tag) => !removeTags.includes(tag)), ...addTags])];
  return {
    ...(status !== undefined && status !== learning.status ? { status } : {}),
    ...(project !== undefined && project !== learning.project ? { project } : {}),
    ...(tags.join('\n') !== learning.tags.join('\n') ? { tags } : {}),
  };
}

function kindOf({ status, project }: Partial<Note>): Reason['kind'] {
  if (status !== undefined) return status === 'archived' ? 'archive' : 'restore';
  return project === undefined ? 'update' : 'move';
}
