import { basename } from 'node:path';
import type { Handlers } from '#contract/methods.ts';
import { previewRestore, requestRestore } from '../archive/restore-backup.ts';
import { backUpNow, describeBackups } from '../store/backups.ts';
import { LOST, setMeta } from '../store/meta.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function backupHandlers(parts: DaemonParts) {
  const { store, paths, now } = parts;
  const list = () => describeBackups(paths.backups, now());
  return {
    'backups.list': list,
    'backups.make': async () => {
      const made = basename(await backUpNow(store.db, paths.backups, 'by-hand', now()));
      return list().filter(({ name }) => name === made)[0] ?? raise(made);
    },
    'backups.preview': (choice) => previewRestore(parts, choice),
    'backups.restore': async (choice) => {
      const restoring = await requestRestore(parts, choice);
      setImmediate(parts.restart); // after the answer is sent
      return restoring;
    },
    'backups.skip': () => {
      setMeta(store.db, LOST, '');
      parts.readTranscripts();
      return { ok: true };
    },
  } satisfies Partial<Handlers>;
}

function raise(name: string): never {
  throw new Error(`the backup ${name} vanished`);
}
