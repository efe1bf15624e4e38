import { rescanDocuments } from '../knowledge/hand-edits.ts';
import { watchDocuments } from '../knowledge/watch-documents.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import type { SkillsIndex } from '../recall/skills/skills-index.ts';
import { backUpDaily } from '../store/backups.ts';
import { listProjects } from '../store/learnings/learnings.ts';
import { pruneLogs } from '../store/prune.ts';
import type { Core } from './core.ts';

const TIDY_EVERY = 3_600_000; // ms; due once a day, and a daemon may run for months

/** Starts housekeeping: watching the note files, pruning logs, the daily backup. */
export async function startHousekeeping(
  { store, paths, now, log, running }: Core,
  skills: SkillsIndex,
): Promise<void> {
  const { db } = store;
  const documents = await watchDocuments(store, log);
  running.add('note files', () => documents.close());
  const tidying = new BackgroundTask({
    work: async () => {
      pruneLogs(db, now());
      await backUpDaily(db, paths.backups, now());
    },
    next: () => TIDY_EVERY,
    onError: (error) => log.error('pruning logs and backing up', error),
  });
  running.add('tidying', () => tidying.stop());
  const rescanning = new BackgroundTask({
    work: async (signal) => {
      await rescanDocuments(store, signal);
      const roots = listProjects(db).map(({ root }) => root);
      skills.refresh(roots.filter(Boolean));
      tidying.wake();
    },
    onError: (error) => log.error('rescanning the notes', error),
  });
  running.add('rescan', () => rescanning.stop());
  rescanning.wake();
}
