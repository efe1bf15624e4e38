import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import type { Backup, Restoring } from '#contract/backups.ts';
import { DaemonError } from '#contract/errors.ts';
import { moveFile, writeFileAtomic } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { readTextIfExists } from '../platform/read-file.ts';
import { inTurns } from '../platform/turns.ts';
import { isEmpty } from '../store/archive/ingest.ts';
import { backUpNow, describeBackups, restoreBackup } from '../store/backups.ts';
import { connect } from '../store/connection.ts';
import { findDamage } from '../store/damage.ts';
import { migrate } from '../store/migrate.ts';
import type { Store } from '../store/learnings/write.ts';
import { compare, summary } from './compare.ts';

interface RestoreParts {
  store: Store;
  paths: Paths;
  signal: AbortSignal;
}

interface Choice {
  name: string;
  keepNotes: boolean;
}

/** The restore that the next start carries out, because the database cannot be replaced while it is in use. */
const Requested = z.strictObject({
  backup: z.string(),
  /** Where the note files go; null when they stay. */
  aside: z.string().nullable(),
});

/** Compares a backup with the present state. Nothing changes yet. */
export async function previewRestore(parts: RestoreParts, { name, keepNotes }: Choice): Promise<Restoring> {
  const backup = await chosenBackup(parts, name);
  const { store, paths, signal } = parts;
  mkdirSync(paths.staging, { recursive: true, mode: 0o700 });
  const copy = join(paths.staging, `preview-${backup.name}`);
  copyFileSync(join(paths.backups, backup.name), copy);
  const db = connect(copy);
  try {
    migrate(db, null);
    const comparison = await inTurns(compare(store.db, db), signal, { rests: false });
    return { backup, keepNotes, diff: summary(comparison), isPreview: true, before: null };
  } finally {
    db.close();
    for (const companion of ['', '-wal', '-shm']) rmSync(`${copy}${companion}`, { force: true });
  }
}

/** Backs up the present state and requests the restore; the caller then starts the daemon again. */
export async function requestRestore(parts: RestoreParts, choice: Choice): Promise<Restoring> {
  const { store, paths } = parts;
  const restoring = await previewRestore(parts, choice);
  const now = store.now();
  const before = isEmpty(store.db) ? null : await backUpNow(store.db, paths.backups, 'before-restore', now);
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-');
  const backup = join(paths.backups, restoring.backup.name);
  if (!existsSync(backup))
    throw new DaemonError('conflict', `${restoring.backup.name} was the oldest backup and is gone`);
  const aside = choice.keepNotes ? null : join(paths.backups, `documents-${stamp}`);
  writeFileAtomic(paths.restore, JSON.stringify({ backup, aside } satisfies z.infer<typeof Requested>));
  return { ...restoring, isPreview: false, before };
}

/** Carries out a requested restore, at start. Every step may be repeated, so a kill at any moment does no harm. */
export function finishRestore({ restore, database, documents, backups }: Paths): string[] {
  const requested = readTextIfExists(restore);
  if (requested === null) return [];
  const { backup, aside } = Requested.parse(JSON.parse(requested));
  if (aside !== null && existsSync(documents) && !existsSync(aside)) {
    mkdirSync(backups, { recursive: true, mode: 0o700 });
    moveFile(documents, aside);
  }
  restoreBackup(backup, database);
  rmSync(restore);
  const notes = aside === null ? '' : ` The note files from before are kept in ${aside}.`;
  return [`The backup ${basename(backup)} was restored.${notes}`];
}

async function chosenBackup({ store, paths }: RestoreParts, name: string): Promise<Backup> {
  const all = describeBackups(paths.backups, store.now());
  const found =
    name === 'latest' ? all.find(({ isReadable }) => isReadable) : all.find((each) => each.name === name);
  if (!found) throw new DaemonError('not-found', `no backup ${name}; \`reflect backup list\` shows them`);
  const damage = await findDamage(join(paths.backups, found.name));
  if (damage !== null)
    throw new DaemonError(
      'conflict',
      `the backup ${found.name} is damaged and cannot be restored: ${damage}`,
    );
  return found;
}
