import type { replaceKnowledge } from '../store/archive/ingest.ts';
import type { Store } from '../store/learnings/write.ts';
import type { CheckedArchive } from './check-archive.ts';
import type { Tell } from './progress.ts';

/** Dependencies of every archive job. */
export interface ArchiveParts {
  store: Store;
  /** Folder where imports are prepared; on the same disk as the documents, because they are moved from here. */
  staging: string;
  backups: string;
  /** Folder of the keys that sign archives. */
  keys: string;
  /** Aborted when the daemon stops. */
  signal: AbortSignal;
  /** Checks an archive. The daemon does so in a thread; without one it happens here. */
  check?: (path: string, folder: string, signal: AbortSignal, tell: Tell) => Promise<CheckedArchive>;
  /** Replaces all knowledge, in a thread as well. */
  replace?: (...given: Parameters<typeof replaceKnowledge>) => Promise<boolean>;
}
