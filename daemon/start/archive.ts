import { Archive } from '../archive/archive.ts';
import type { Distiller } from '../distill/distill.ts';
import type { Branches } from '../knowledge/branches.ts';
import type { VectorIndex } from '../knowledge/vector-index.ts';
import { renewSnapshots } from '../recall/modes/corpora.ts';
import type { Core } from './core.ts';

/** Starts export and import; an import renews everything computed from the notes it replaced. */
export function startArchive(
  { store, paths, now, events, signal, running }: Core,
  vectorIndexes: readonly VectorIndex[],
  distiller: Distiller,
  branches: Branches,
): Archive {
  const archive = new Archive({
    store,
    staging: paths.staging,
    backups: paths.backups,
    signal,
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
  return archive;
}
