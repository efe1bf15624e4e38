import Database from 'better-sqlite3';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeFileAtomic } from '../../platform/files.ts';
import { readTextIfExists } from '../../platform/read-file.ts';
import { backUp } from '../backups.ts';
import type { WritableDb } from '../db.ts';
import type { ErasedParts } from './rows.ts';

/** Places outside the database that repeat what a note says. */
interface ErasedPlaces {
  database: string;
  documents: string;
  events: string;
  logs: string;
  backups: string;
  staging: string;
}

const LARGEST_LOG = 64 * 1024 * 1024; // bytes; they are rotated long before

/** Deletes the files of notes, wherever they were put aside. Returns how many. */
export function eraseDocuments(documents: string, { learnings }: ErasedParts): number {
  const ids = learnings.map(({ id }) => id);
  const files = filesBelow(documents).filter((file) => {
    const name = basename(file);
    return ids.some(
      (id) => name === `${id}.md` || name === `${id}.entities.yaml` || name.startsWith(`${id}-`),
    );
  });
  for (const file of files) rmSync(file, { force: true });
  return files.length;
}

/** Takes every line out of the event file and the logs that names a note, a session or a project that is gone. */
export function eraseLines({ events, logs }: ErasedPlaces, erased: ErasedParts): void {
  const names = [
    ...erased.learnings.flatMap(({ id, title }) => [id, title]),
    ...erased.sessions,
    ...erased.projects,
  ]
    .filter(Boolean)
    .flatMap((name) => [name, JSON.stringify(name).slice(1, -1)]);
  const rotated = existsSync(dirname(events))
    ? filesBelow(dirname(events), false).filter((file) => basename(file).startsWith(basename(events)))
    : [];
  for (const file of [...rotated, ...filesBelow(logs)]) {
    const lines = (readTextIfExists(file, { largest: LARGEST_LOG }) ?? '').split('\n');
    const kept = lines.filter((line) => !names.some((name) => line.includes(name)));
    if (kept.length < lines.length) writeFileAtomic(file, kept.join('\n'));
  }
}

/** Rewrites the database without pages of deleted text, and replaces every older copy of it by a new backup. */
export function eraseCopies(db: WritableDb, { database, backups, staging }: ErasedPlaces, now: number): void {
  for (const table of ['learning_fts', 'learning_typed'])
    db.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
  const onDisk = new Database(database); // the store's own connection would copy the whole database into memory
  onDisk.exec('VACUUM');
  onDisk.close();
  db.pragma('wal_checkpoint(TRUNCATE)');
  for (const file of filesBelow(backups)) rmSync(file, { force: true });
  rmSync(staging, { recursive: true, force: true });
  for (const file of filesBelow(dirname(database), false))
    if (basename(file).startsWith(`${basename(database)}.damaged-`)) rmSync(file, { force: true });
  backUp(db, backups, 'after-deletion', now);
}

function filesBelow(folder: string, recursive = true): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
