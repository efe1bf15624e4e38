import type { Store } from '../store/learnings/write.ts';

/** Reports how far a step of the work has come. */
export type Tell = (step: string, done: number, total: number) => void;

/** What all archive work is done with. */
export interface ArchiveParts {
  store: Store;
  /** Where imports are prepared; on the same disk as the documents, for they are moved from here. */
  staging: string;
  backups: string;
  /** Aborted when the daemon stops. */
  signal: AbortSignal;
}
