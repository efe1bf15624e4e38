import type { Handlers } from '#contract/methods.ts';
import { scanForSecrets } from '../drain/privacy-scan.ts';
import { relationTypes } from '../knowledge/relation-types.ts';
import { repairDocuments } from '../knowledge/repair.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = 'documents.repair' | 'privacy.scan';

export function upkeepHandlers({ store, settings, signal }: DaemonParts): Pick<Handlers, Methods> {
  return {
    'documents.repair': ({ backfillRelations }) =>
      repairDocuments(store, backfillRelations ?? settings.resolver()(relationTypes.switch)),
    'privacy.scan': () => scanForSecrets(store.db, signal),
  };
}
