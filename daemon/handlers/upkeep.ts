import type { Handlers } from '#contract/methods.ts';
import { scanForSecrets } from '../drain/privacy-scan.ts';
import { reindex } from '../knowledge/reindex.ts';
import { relationTypes } from '../knowledge/relation-types.ts';
import { repairDocuments } from '../knowledge/repair.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function upkeepHandlers(parts: DaemonParts) {
  const { store, settings, signal } = parts;
  return {
    'documents.repair': ({ backfillRelations }) =>
      repairDocuments(store, backfillRelations ?? settings.resolver()(relationTypes.switch)),
    'privacy.scan': () => scanForSecrets(store.db, signal),
    'store.reindex': () => reindex(parts),
  } satisfies Partial<Handlers>;
}
