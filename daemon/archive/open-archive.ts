import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rescanDocuments } from '../knowledge/hand-edits.ts';
import { inTurns } from '../platform/turns.ts';
import { pendingMerge } from '../store/archive/ingest.ts';
import { connect } from '../store/connection.ts';
import type { ArchiveParts, CheckedArchive, ReportProgress } from './archive-parts.ts';
import { checkArchive } from './check-archive.ts';
import { type Comparison, compare } from './compare.ts';
import type { Trust } from './entering.ts';
import { trustIn } from './keys.ts';

/** A checked archive, compared with this knowledge base. */
export interface OpenArchive extends CheckedArchive {
  /** Name of its folder in the staging folder. */
  name: string;
  comparison: Comparison;
  trust: Trust;
}

/**
 * Opens an archive for `work` after every check has passed; nothing here changes before. The unpacked files are removed
 * afterwards.
 */
export async function withArchive<T>(
  parts: ArchiveParts,
  path: string,
  report: ReportProgress,
  work: (archive: OpenArchive) => T | Promise<T>,
): Promise<T> {
  const { store, staging } = parts;
  const name = `${new Date(store.now()).toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}`;
  const folder = join(staging, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const checked = await (parts.check ?? checkArchive)(path, folder, parts.signal, report);
    const comparison = await compareWith(parts, checked.file, report);
    const trust = trustIn(parts.keys, checked.signedBy);
    return await work({ ...checked, name, comparison, trust });
  } finally {
    // A merge that was interrupted is continued from here.
    if (pendingMerge(store.db)?.stage !== name) await rm(folder, { recursive: true, force: true });
  }
}

export async function compareWith(
  { store, signal }: ArchiveParts,
  file: string,
  report: ReportProgress,
): Promise<Comparison> {
  await rescanDocuments(store, signal); // includes edits that a person has just made
  const archive = connect(file);
  try {
    return await inTurns(compare(store.db, archive), signal, {
      rests: false,
      onStep: (done) => report('comparing', done, 0),
    });
  } finally {
    archive.close();
  }
}
