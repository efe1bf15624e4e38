import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pendingImport, setPendingImport } from '../store/archive/restore.ts';
import type { OnStep } from '../store/learnings/documents.ts';
import type { ArchiveParts } from './turns.ts';

/**
 * Moves the old documents out and those of a committed import in, folder by folder. Called in the same turn as the commit and
 * again at every start: however far it came before the process died, it goes on from there. The folder itself stays, for it is watched.
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

/** Where the documents that were there before lie until they are known to be in the backup. */
export const replacedIn = (stage: string): string => join(stage, 'replaced');

function moveAll(from: string, to: string, step: OnStep): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  if (!existsSync(from)) return;
  for (const name of readdirSync(from)) {
    renameSync(join(from, name), join(to, name));
    step('a folder moved');
  }
}

/** After a start: finishes what was committed, keeps what it replaced, and removes what never came that far. */
export function recoverImport(parts: ArchiveParts): void {
  placeDocuments(parts);
  const { staging, backups } = parts;
  if (!existsSync(staging)) return;
  for (const name of readdirSync(staging)) {
    const replaced = replacedIn(join(staging, name));
    if (existsSync(replaced) && readdirSync(replaced).length > 0)
      keepReplaced(join(staging, name), backups, name);
  }
  rmSync(staging, { recursive: true, force: true });
}

export function keepReplaced(stage: string, backups: string, name: string): string {
  const kept = join(backups, `documents-${name}`);
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  renameSync(replacedIn(stage), kept);
  return kept;
}
