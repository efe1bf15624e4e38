import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Imported, ImportMode, Inspected } from '#contract/archive.ts';
import { DaemonError } from '#contract/errors.ts';
import { rescanInBackground } from '../knowledge/hand-edits.ts';
import { isEmpty, replaceKnowledge } from '../store/archive/restore.ts';
import { stageDatabase } from '../store/archive/stage.ts';
import { knowledgeVersion } from '../store/learnings/history.ts';
import { connect } from '../store/connection.ts';
import { rebuildSearchIndex } from '../store/search/words.ts';
import { type Comparison, compare, shown, summary } from './diff.ts';
import { exportArchive } from './export.ts';
import { isDocument } from './member.ts';
import { mergeArchive } from './merge.ts';
import { keepReplaced, placeDocuments, replacedIn } from './place-documents.ts';
import { type ArchiveParts, inTurns, type Tell } from './turns.ts';
import { unpack, type Unpacked } from './unpack.ts';

/** An archive that was let pass: its rows in a store of our own making, its documents beside it. */
export interface Staged extends Unpacked {
  /** Its folder below the staging one. */
  name: string;
  file: string;
  version: number;
  comparison: Comparison;
}

/** Looks an archive through and says what an import of it would do. Nothing changes. */
export function inspectArchive(parts: ArchiveParts, path: string, tell: Tell): Promise<Inspected> {
  return staged(parts, path, tell, ({ bytes, manifest, version, comparison }) => ({
    path,
    bytes,
    schemaVersion: version,
    documents: manifest.document_count,
    tables: manifest.tables,
    targetEmpty: isEmpty(parts.store.db),
    diff: summary(comparison),
  }));
}

export function importArchive(
  parts: ArchiveParts,
  path: string,
  mode: ImportMode,
  tell: Tell,
): Promise<Imported> {
  return staged(parts, path, tell, (archive) =>
    mode === 'merge' ? mergeArchive(parts, archive, tell) : restore(parts, archive, mode, tell),
  );
}

/** Everything that can be wrong with an archive is found before anything here is touched; what was laid out for that goes again. */
async function staged<T>(
  parts: ArchiveParts,
  path: string,
  tell: Tell,
  work: (archive: Staged) => T | Promise<T>,
): Promise<T> {
  const { store, staging } = parts;
  const name = `${new Date(store.now()).toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}`;
  const folder = join(staging, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const unpacked = await unpack(path, folder, tell);
    const file = join(folder, 'staged.db');
    const claims = { tables: unpacked.manifest.tables, documents: unpacked.documents };
    const checking = stageDatabase(unpacked.database, file, claims);
    const { version } = await inTurns(store, checking, ({ table, rows }) =>
      tell(`checking ${table}`, rows, claims.tables[table] ?? 0),
    );
    return await work({ ...unpacked, name, file, version, comparison: await compareWith(parts, file, tell) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareWith({ store }: ArchiveParts, file: string, tell: Tell): Promise<Comparison> {
  await rescanInBackground(store); // what a person just wrote counts as here
  const archive = connect(file);
  try {
    return await inTurns(store, compare(store.db, archive), (done) => tell('comparing', done, 0));
  } finally {
    archive.close();
  }
}

const ATTEMPTS = 3;

/** The archive takes the place of what is here; of what is here a backup is made, unless there is nothing. */
async function restore(
  parts: ArchiveParts,
  archive: Staged,
  mode: 'restore' | 'force',
  tell: Tell,
): Promise<Imported> {
  const { store, staging, backups } = parts;
  const stage = join(staging, archive.name);
  let backup: string | null = null;
  for (let attempt = 1; ; attempt++) {
    const saved = isEmpty(store.db) ? null : await backUp(parts, archive.name, mode, tell);
    backup = saved?.path ?? null;
    try {
      replaceKnowledge(store.db, archive.file, archive.name, () => refuseChange(parts, saved?.version));
      break;
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      if (attempt === ATTEMPTS)
        throw new DaemonError(
          'conflict',
          'the knowledge base changes faster than it can be backed up; pause the capture and try again',
        );
    }
  }
  store.onStep?.('rows replaced');
  placeDocuments(parts, store.onStep);
  await inTurns(store, rebuildSearchIndex(store.db), (done) =>
    tell('indexing', done, archive.manifest.tables.learning ?? 0),
  );
  await rescanInBackground(store);
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
    same,
    backup,
    keptFiles,
  };
}

/** What was learned while the backup was written is not in it. */
class ChangedMeanwhile extends Error {}

function refuseChange({ store: { db } }: ArchiveParts, version: number | undefined): void {
  if (version === undefined ? !isEmpty(db) : knowledgeVersion(db) !== version) throw new ChangedMeanwhile();
}

async function backUp(
  parts: ArchiveParts,
  name: string,
  mode: 'restore' | 'force',
  tell: Tell,
): Promise<{ path: string; version: number }> {
  if (mode === 'restore')
    throw new DaemonError(
      'conflict',
      'there is a knowledge base here already; `--merge` adds to it, `--force` replaces it after a backup',
    );
  mkdirSync(parts.backups, { recursive: true, mode: 0o700 });
  const path = join(parts.backups, `before-import-${name}.tar`);
  const { version } = await exportArchive(parts, path, {
    replace: true,
    tell: (step, done, total) => tell(`backup: ${step}`, done, total),
  });
  return { path, version };
}

/** Whether there is something among the replaced files that no export takes along. */
async function foreignFiles(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.some(
    (entry) => !entry.isDirectory() && !(entry.isFile() && isDocument(basename(entry.name))),
  );
}
