import type { Handlers } from '#contract/methods.ts';
import { listKeys, removeKey, trustKey } from '../archive/keys.ts';
import { decidingBatch } from '../knowledge/import-batches.ts';
import { inTurns } from '../platform/turns.ts';
import { batchOf } from '../store/learnings/import-batches.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function archiveHandlers({ archive, store, paths, now, signal }: DaemonParts) {
  return {
    'archive.preview': () => archive.preview(),
    'archive.export': ({ path, ...options }) => archive.export(path, options),
    'archive.inspect': ({ path }) => archive.inspect(path),
    'archive.import': ({ path, mode, mine }) => archive.import(path, mode, mine),
    'archive.batch': ({ from }) => batchOf(store.db, from),
    'archive.decide': ({ from, decision }) =>
      inTurns(decidingBatch(store, from, decision, 'person'), signal, { rests: false }),
    'keys.list': () => listKeys(paths.keys),
    'keys.trust': ({ key, name }) => trustKey(paths.keys, key, name, now()),
    'keys.remove': ({ key }) => removeKey(paths.keys, key),
  } satisfies Partial<Handlers>;
}
