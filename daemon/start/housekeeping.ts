import { writeFileSync } from 'node:fs';
import { isReadOnly } from '#contract/run-folder.ts';
import { rescanDocuments } from '../knowledge/hand-edits.ts';
import { watchDocuments } from '../knowledge/watch-documents.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import { removeUnfinished } from '../platform/home-folder.ts';
import { fileStat } from '../platform/read-file.ts';
import { DAY, HOUR } from '../platform/time.ts';
import type { SkillsIndex } from '../recall/skills/skills-index.ts';
import { backUpDaily, isBackupDue } from '../store/backups.ts';
import { findDamage } from '../store/damage.ts';
import { listProjects } from '../store/learnings/learnings.ts';
import { pruneLogs } from '../store/prune.ts';
import type { Core } from './core.ts';
import { startAgainWhenWritable } from './read-only-home.ts';

const TIDY_EVERY = HOUR; // due once a day, and a daemon may run for months
const FIRST_CHECK = 60_000; // ms after the start, when nothing else is waited for

/** Starts housekeeping: watching the note files, pruning logs, checking the database, the daily backup. */
export async function startHousekeeping(core: Core, skills: SkillsIndex, restart: () => void): Promise<void> {
  const { store, paths, now, log, running, signal } = core;
  const { db } = store;
  startAgainOnTrouble(core, restart);
  if (core.readsOnly) {
    startAgainWhenWritable(core, restart);
    return;
  }
  if (core.areNotesMissing) await rescanDocuments(store, signal); // writes them again, before an empty folder is watched
  const documents = await watchDocuments(store, log);
  running.add('note files', () => documents.close());
  const checking = new BackgroundTask({
    work: () => checkDatabase(core),
    next: () => DAY,
    onError: (error) => log.error('checking the database', error),
  });
  running.add('database check', () => checking.stop());
  checking.wake(FIRST_CHECK);
  const tidying = new BackgroundTask({
    work: async () => {
      pruneLogs(db, now());
      await removeUnfinished([paths.documents, paths.run], now());
      // A damaged database must not push sound backups out.
      if (isBackupDue(paths.backups, now()) && (await checkDatabase(core)))
        await backUpDaily(db, paths.backups, now());
    },
    next: () => TIDY_EVERY,
    onError: (error) => log.error('pruning logs and backing up', error),
  });
  running.add('tidying', () => tidying.stop());
  const rescanning = new BackgroundTask({
    work: async (stopped) => {
      await rescanDocuments(store, stopped);
      const roots = listProjects(db).map(({ root }) => root);
      skills.refresh(roots.filter(Boolean));
      tidying.wake();
    },
    onError: (error) => log.error('rescanning the notes', error),
  });
  running.add('rescan', () => rescanning.stop());
  rescanning.wake();
}

/** True when the database is sound. Damage is reported, which has it repaired. */
async function checkDatabase({ paths, store, log }: Core): Promise<boolean> {
  const damage = await findDamage(paths.database);
  if (damage === null) return true;
  log.error('the database is damaged', Object.assign(new Error(damage), { code: 'SQLITE_CORRUPT' }));
  return store.db.health.problem === null;
}

/**
 * Starts again when damage is found: a database in use cannot be replaced, and the start restores the newest sound
 * backup and reads the notes again. Within an hour only if a check finds the damage too: what no check finds would
 * otherwise never let it rest.
 */
function startAgainOnTrouble({ paths, readsOnly, store, log }: Core, restart: () => void): void {
  const repair = async () => {
    const last = fileStat(`${paths.suspected}.done`)?.mtimeMs ?? 0;
    if (Date.now() - last < HOUR && (await findDamage(paths.database)) === null) return;
    log.info('the database may be damaged; starting again to repair it');
    writeFileSync(paths.suspected, '');
    restart();
  };
  store.db.health.onProblem = (problem) => {
    if (problem === 'read-only' && !readsOnly && isReadOnly(paths.home)) restart(); // and reads a copy
    if (problem === 'damaged')
      repair().catch((error: unknown) => log.error('checking the database for damage', error));
  };
}
