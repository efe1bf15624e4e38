import { Archive } from '../archive/archive.ts';
import { checkInThread, replaceInThread, withCheckpoints } from '../archive/in-thread.ts';
import type { Distiller } from '../distill/distill.ts';
import type { Branches } from '../knowledge/branches.ts';
import type { VectorIndex } from '../knowledge/vector-index.ts';
import { renewSnapshots } from '../recall/modes/corpora.ts';
import type { Core } from './core.ts';

/** Starts export and import; an import renews everything computed from the notes it replaced. */
export function startArchive(
  { store, paths, now, events, signal, readsOnly, running, log, incidents }: Core,
  vectorIndexes: readonly VectorIndex[],
  distiller: Distiller,
  branches: Branches,
): Archive {
  const archive = new Archive({
    store,
    staging: paths.staging,
    backups: paths.backups,
    keys: paths.keys,
    check: checkInThread,
    replace: replaceInThread,
    signal,
    importing: async (work) => {
      for (const index of vectorIndexes) index.setHeld(true); // it would take both cores
      try {
        return await withCheckpoints(store.db, work);
      } finally {
        for (const index of vectorIndexes) index.setHeld(false);
      }
    },
    onProgress: (progress) => events.emit({ type: 'archive.progress', progress }),
    onImported: (mode) => {
      for (const index of vectorIndexes) index.restart();
      renewSnapshots({ db: store.db, folder: paths.corpora, now });
      distiller.imported();
      branches.wake();
      events.emit({ type: 'archive.imported', mode });
    },
  });
  running.add('archive', () => archive.stop());
  if (readsOnly) return archive;
  archive.resume().catch((error: unknown) => {
    if (signal.aborted) return; // it is continued at the next start
    log.error('continuing an interrupted import', error);
    incidents.report('continuing an import that was interrupted; import the file again', error);
  });
  return archive;
}
