import type { replaceKnowledge } from '../store/archive/ingest.ts';
import type { Store } from '../store/learnings/write.ts';
import type { Comparison } from './compare.ts';
import type { Trust } from './entering.ts';
import type { Manifest } from './layout.ts';

/** Reports how far a step of the work has come. */
export type ReportProgress = (step: string, done: number, total: number) => void;

/** The content of an archive in a folder of ours; its database is still untrusted. */
export interface Unpacked {
  manifest: Manifest;
  /** The key that signed it. */
  signedBy: string | null;
  /** Size of the archive file. */
  bytes: number;
  documents: string;
  database: string;
}

/** An archive that passed every check: its rows in a store we created, its documents beside it. */
export interface CheckedArchive extends Unpacked {
  /** The store with its rows. */
  file: string;
  /** The version of the database it was made from. */
  version: number;
}

/** A checked archive, compared with this knowledge base. */
export interface OpenArchive extends CheckedArchive {
  /** Name of its folder in the staging folder. */
  name: string;
  comparison: Comparison;
  trust: Trust;
}

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
  check?: (
    path: string,
    folder: string,
    signal: AbortSignal,
    report: ReportProgress,
  ) => Promise<CheckedArchive>;
  /** Replaces all knowledge, in a thread as well. */
  replace?: (...given: Parameters<typeof replaceKnowledge>) => Promise<boolean>;
}
