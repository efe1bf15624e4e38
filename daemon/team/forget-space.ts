import { backUpNow } from '../store/backups.ts';
import { eraseDocuments } from '../store/erase/files.ts';
import { findErased, eraseRows } from '../store/erase/rows.ts';
import { asOneUnit, type Store } from '../store/learnings/write.ts';
import { removeSpace, teamNotes } from '../store/team.ts';

/**
 * Everything of a space goes from this machine; colleagues' notes go with it after one backup, or stay as own copies.
 */
export async function forgetSpace(
  store: Store,
  backups: string,
  { name, removes }: { name: string; removes: boolean },
): Promise<{ notes: number; backup: string | null }> {
  const ids = teamNotes(store.db, name, 'copy').map(({ localId }) => localId);
  const goes = removes && ids.length > 0;
  const backup = goes ? await backUpNow(store.db, backups, `leaving-${name}`, store.now()) : null;
  const erased = findErased(store.db, { learnings: goes ? ids : [], sessions: [], projects: [] });
  asOneUnit(store, () => {
    if (goes) eraseRows(store.db, erased, store.now());
    removeSpace(store.db, name);
  });
  eraseDocuments(store.documents, erased);
  return { notes: ids.length, backup };
}
