import { DaemonError } from '#contract/errors.ts';
import { waitingInBatch } from '../store/learnings/import-batches.ts';
import { asOneUnit, changeLearning, type Store } from '../store/learnings/write.ts';
import { slices } from '../platform/slices.ts';

const AT_ONCE = 5; // notes of one transaction, each with two files to write

/** Accepts or rejects all notes of an import that wait, a few at a time, as one event that one undo reverses. */
export function* decidingBatch(
  store: Store,
  from: string,
  decision: 'accept' | 'reject',
  actor: string,
): Generator<void, { changed: number; changeId: number | null }> {
  const status = decision === 'accept' ? 'active' : 'rejected';
  const reason = `${decision === 'accept' ? 'accepted' : 'rejected'} with all of ${from}`;
  let unit: number | null = null;
  let changed = 0;
  for (const ids of slices(() => waitingInBatch(store.db, from, AT_ONCE))) {
    asOneUnit(store, () => {
      for (const id of ids) {
        const why = { actor, kind: 'update', reason, unit } as const;
        const { changeId } = changeLearning(store, id, { status }, why);
        unit ??= changeId;
        changed++;
      }
    });
    yield;
  }
  if (unit === null) throw new DaemonError('not-found', `nothing of ${from} waits`);
  return { changed, changeId: unit };
}
