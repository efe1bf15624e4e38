import { chmodSync, copyFileSync, existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DaemonError } from '#contract/errors.ts';
import { isReadOnly } from '#contract/run-folder.ts';
import { BackgroundTask } from '../platform/background-task.ts';
import type { Log } from '../platform/log.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import type { RunningParts } from '../platform/running-parts.ts';
import { ownFolder } from '../serve/socket.ts';

const LOOK_EVERY = 10_000; // ms; a person has just made it writable and waits

/** Makes the folders that stand in for those of a read-only home. */
export function claimShelter({ run }: Paths): void {
  for (const folder of [dirname(run), run]) ownFolder(folder);
}

/** Copies the database of a read-only home, with what its log holds, to where SQLite can write beside it. */
export function copyDatabase({ home, database: copy }: Paths): void {
  const { database } = pathsOf(home);
  if (!existsSync(database))
    throw new DaemonError(
      'not-stored',
      `${home} is read-only and holds no database: make it writable, or set REFLECT_HOME to another folder`,
    );
  removeCopy(copy); // of a daemon that was killed
  for (const companion of ['', '-wal'].filter((end) => existsSync(`${database}${end}`))) {
    copyFileSync(`${database}${companion}`, `${copy}${companion}`);
    chmodSync(`${copy}${companion}`, 0o600); // a copy is as read-only as its source
  }
}

export function removeCopy(copy: string): void {
  for (const companion of ['', '-wal', '-shm']) rmSync(`${copy}${companion}`, { force: true });
}

/** A home that was read-only at the start, and is no longer, is opened as usual. */
export function startAgainWhenWritable(
  { paths, log, running }: { paths: Paths; log: Log; running: RunningParts },
  restart: () => void,
): void {
  const looking = new BackgroundTask({
    work: () => {
      if (!isReadOnly(paths.home)) restart();
    },
    next: () => LOOK_EVERY,
    onError: (error) => log.error('looking whether the home is writable', error),
  });
  running.add('read-only home', () => looking.stop());
  looking.wake(LOOK_EVERY);
}
