import type { Handlers } from '#contract/methods.ts';
import { expired, forgetExpired } from '../knowledge/forget.ts';
import { maintain, previewMaintenance } from '../knowledge/graph-maintenance.ts';
import { revise } from '../knowledge/revision-actions.ts';
import { inTurns } from '../platform/turns.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function knowledgeHandlers({ store, settings, preview, signal }: DaemonParts) {
  return {
    'knowledge.revise': ({ actions, actor }) => {
      const resolve = settings.resolver();
      return revise({ store, resolve, preview: (note) => preview(note, resolve) }, actions, actor);
    },
    'knowledge.forget': async ({ dryRun }) => ({
      dryRun,
      forgotten: dryRun ? expired(store) : await inTurns(forgetExpired(store), signal),
    }),
    'knowledge.maintain': async ({ dryRun }) => ({
      dryRun,
      ...(dryRun ? previewMaintenance(store.db) : await inTurns(maintain(store.db), signal)),
    }),
  } satisfies Partial<Handlers>;
}
