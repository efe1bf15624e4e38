import { type Dirent, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Imported } from '#contract/archive.ts';
import { DaemonError } from '#contract/errors.ts';
import { rescanDocuments } from '../knowledge/hand-edits.ts';
import {
  isEmpty,
  pendingImport,
  pendingMerge,
  replaceKnowledge,
  setPendingImport,
} from '../store/archive/ingest.ts';
import type { OnStep } from '../store/learnings/outbox.ts';
import { rebuildSearchIndex } from '../store/search/words.ts';
import { shown } from './compare.ts';
import { exportArchive } from './export.ts';
import { isDocument } from './layout.ts';
import { moveFile, syncFile } from '../platform/files.ts';
import { inTurns } from '../platform/turns.ts';
import type { ArchiveParts, OpenArchive, ReportProgress } from './archive-parts.ts';

const ATTEMPTS = 3;

/** Replaces everything here with the archive, after a backup unless there is nothing to back up. */
export async function restore(
  parts: ArchiveParts,
  archive: OpenArchive,
  mode: 'restore' | 'force',
  report: ReportProgress,
): Promise<Imported> {
  const { store, staging, backups } = parts;
  const stage = join(staging, archive.name);
  await syncDocuments(archive.documents, parts.signal);
  let backup: string | null = null;
  for (let attempt = 1; ; attempt++) {
    const saved = isEmpty(store.db) ? null : await backUp(parts, archive.name, mode, report);
    backup = saved?.path ?? null;
    const replace = parts.replace ?? replaceKnowledge;
    if (await replace(store.db, archive.file, archive.name, saved?.version ?? null)) break;
    if (attempt === ATTEMPTS)
      throw new DaemonError(
        'conflict',
        'the knowledge base changes faster than it can be backed up; pause capture and try again',
      );
  }
  store.db.changes.announce({ type: 'knowledge.replaced' });
  store.onStep?.('rows replaced');
  placeDocuments(parts, store.onStep);
  await inTurns(rebuildSearchIndex(store.db), parts.signal, {
    rests: false,
    onStep: (done) => report('indexing', done, archive.manifest.tables.learning ?? 0),
  });
  await rescanDocuments(store, parts.signal);
  const keptFiles = (await foreignFiles(replacedIn(stage)))
    ? keepReplaced(stage, backups, archive.name)
    : null;
  const { added, changed, missing, same } = archive.comparison;
  return {
    mode,
    added: shown(added),
    replaced: shown(changed),
    removed: shown(missing),
    stayed: shown([]),
    conflicts: 0,
    trust: 'mine',
    changeId: null,
    same,
    backup,
    keptFiles,
  };
}

const AT_ONCE = 32; // a disk syncs several files in the time of one

/**
 * The files are moved into place after the rows are committed, and a power cut must not leave them empty. Folder by
 * folder: listing 10 000 notes at once would keep everybody waiting.
 */
async function syncDocuments(folder: string, signal: AbortSignal): Promise<void> {
  for (const below = existsSync(folder) ? [folder] : []; below.length > 0;) {
    const entries = await readdir(below.pop() ?? '', { withFileTypes: true });
    const paths = (which: Dirent[]) => which.map(({ parentPath, name }) => join(parentPath, name));
    below.push(...paths(entries.filter((entry) => entry.isDirectory())));
    const files = paths(entries.filter((entry) => entry.isFile()));
    for (let done = 0; done < files.length; done += AT_ONCE) {
      signal.throwIfAborted();
      await Promise.all(files.slice(done, done + AT_ONCE).map(syncFile));
    }
  }
}

async function backUp(
  parts: ArchiveParts,
  name: string,
  mode: 'restore' | 'force',
  report: ReportProgress,
): Promise<{ path: string; version: number }> {
  if (mode === 'restore')
    throw new DaemonError(
      'conflict',
      'there is already a knowledge base here; `--merge` adds to it, `--force` replaces it after a backup',
    );
  mkdirSync(parts.backups, { recursive: true, mode: 0o700 });
  const path = join(parts.backups, `before-import-${name}.tar`);
  const { version } = await exportArchive(parts, path, {
    replace: true,
    sign: true,
    report: (step, done, total) => report(`backup: ${step}`, done, total),
  });
  return { path, version };
}

/** True if the replaced files include any that an export does not contain. */
async function foreignFiles(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.some(
    (entry) => !entry.isDirectory() && !(entry.isFile() && isDocument(basename(entry.name))),
  );
}

/**
 * Moves the old documents out and those of a committed import in, folder by folder. Runs right after the commit and
 * again at every start, so it continues from wherever the process died. The folder itself stays, because it is watched.
 */
export function placeDocuments(
  { store: { db, documents }, staging }: ArchiveParts,
  step: OnStep = () => {},
): void {
  const pending = pendingImport(db);
  if (!pending) return;
  const stage = join(staging, pending.stage);
  if (pending.phase === 'out') {
    moveAll(documents, replacedIn(stage), step);
    setPendingImport(db, { ...pending, phase: 'in' });
  }
  step('old files out');
  moveAll(join(stage, 'documents'), documents, step);
  setPendingImport(db, null);
  step('new files in');
}

/** Holds the previous documents until they are known to be in the backup. */
const replacedIn = (stage: string): string => join(stage, 'replaced');

function moveAll(from: string, to: string, step: OnStep): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  if (!existsSync(from)) return;
  for (const name of readdirSync(from)) {
    moveFile(join(from, name), join(to, name));
    step('a folder moved');
  }
}

/**
 * Runs at start: finishes a committed import, keeps the files it replaced and removes what else was being prepared. A
 * merge that was started stays, to be continued once the daemon runs.
 */
export function recoverImport(parts: ArchiveParts): void {
  placeDocuments(parts);
  const { staging, backups, store } = parts;
  if (!existsSync(staging)) return;
  const merging = pendingMerge(store.db)?.stage;
  for (const name of readdirSync(staging)) {
    if (name === merging) continue;
    const replaced = replacedIn(join(staging, name));
    if (existsSync(replaced) && readdirSync(replaced).length > 0)
      keepReplaced(join(staging, name), backups, name);
    rmSync(join(staging, name), { recursive: true, force: true });
  }
  if (readdirSync(staging).length === 0) rmSync(staging, { recursive: true });
}

function keepReplaced(stage: string, backups: string, name: string): string {
  const kept = join(backups, `documents-${name}`);
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  moveFile(replacedIn(stage), kept);
  return kept;
}
