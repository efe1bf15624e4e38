import { existsSync, mkdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Imported, ImportMode, Inspected } from '#contract/archive.ts';
import { isEmpty, pendingMerge, setPendingMerge } from '../store/archive/ingest.ts';
import { NEWEST, storeAt } from '../store/archive/schema.ts';
import type { ArchiveParts, OpenArchive, ReportProgress } from './archive-parts.ts';
import { stagedIn, checkArchive } from './check-archive.ts';
import { shown, summary, type Comparison, compare } from './compare.ts';
import { mergeArchive } from './merge.ts';
import { restore } from './restore.ts';
import { randomUUID } from 'node:crypto';
import { rescanDocuments } from '../knowledge/hand-edits.ts';
import { inTurns } from '../platform/turns.ts';
import { connect } from '../store/connection.ts';
import { trustIn } from './keys.ts';

/** Checks an archive and previews its import. Nothing changes. */
export function inspectArchive(
  parts: ArchiveParts,
  path: string,
  report: ReportProgress,
): Promise<Inspected> {
  return withArchive(parts, path, report, ({ bytes, manifest, version, comparison, trust, signedBy }) => ({
    path,
    bytes,
    schemaVersion: version,
    documents: manifest.document_count,
    tables: manifest.tables,
    targetEmpty: isEmpty(parts.store.db),
    trust,
    signedBy,
    diff: summary(comparison),
  }));
}

/** `mine`: the person says that they made the archive, so that it is taken as it is. */
export function importArchive(
  parts: ArchiveParts,
  path: string,
  mode: ImportMode,
  report: ReportProgress,
  { mine = true }: { mine?: boolean } = {},
): Promise<Imported> {
  return withArchive(parts, path, report, (archive) => {
    const trust = mine ? 'mine' : archive.trust;
    const source = { trust, from: basename(path) };
    if (mode === 'merge') return orForget(parts, () => mergeArchive(parts, archive, source, report));
    if (trust === 'mine') return restore(parts, archive, mode, report);
    return replaceByForeign(parts, archive, mode, source, report);
  });
}

/** Empties this knowledge base after a backup; then its notes are imported like those of any foreign archive. */
async function replaceByForeign(
  parts: ArchiveParts,
  archive: OpenArchive,
  mode: 'restore' | 'force',
  source: Parameters<typeof mergeArchive>[2],
  report: ReportProgress,
): Promise<Imported> {
  const folder = join(parts.staging, archive.name);
  const nothing = join(folder, 'nothing.db');
  storeAt(nothing, NEWEST).close();
  await rename(archive.documents, join(folder, 'unused')); // a restore would move them in
  const replaced = await restore(parts, { ...archive, file: nothing }, mode, report);
  const comparison = await compareWith(parts, archive.file, report);
  const { trust, changeId, conflicts } = await orForget(parts, () =>
    mergeArchive(parts, { ...archive, comparison }, source, report),
  );
  return { ...replaced, added: shown(archive.comparison.added), trust, changeId, conflicts };
}

/** Continues a merge that a stop or a crash interrupted. Null when there is none. */
export async function resumeMerge(parts: ArchiveParts, report: ReportProgress): Promise<Imported | null> {
  const pending = pendingMerge(parts.store.db);
  if (!pending) return null;
  const folder = join(parts.staging, pending.stage);
  const file = stagedIn(folder);
  if (!existsSync(file)) {
    setPendingMerge(parts.store.db, null);
    return null;
  }
  try {
    return await orForget(parts, async () => {
      const comparison = await compareWith(parts, file, report);
      return mergeArchive(parts, { name: pending.stage, file, comparison }, pending, report);
    });
  } finally {
    if (!pendingMerge(parts.store.db)) await rm(folder, { recursive: true, force: true });
  }
}

/** A merge that fails is not tried again at the next start; one that is stopped is continued there. */
async function orForget<T>({ store, signal }: ArchiveParts, merging: () => Promise<T>): Promise<T> {
  try {
    return await merging();
  } catch (error) {
    if (!signal.aborted) setPendingMerge(store.db, null);
    throw error;
  }
}

/**
 * Opens an archive for `work` after every check has passed; nothing here changes before. The unpacked files are removed
 * afterwards.
 */
async function withArchive<T>(
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

async function compareWith(
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
