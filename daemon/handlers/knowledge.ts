import type { Note } from '#contract/entities.ts';
import type { Handlers } from '#contract/methods.ts';
import type { RevisionAction } from '#contract/revision.ts';
import { expired, forgetExpired } from '../knowledge/forget.ts';
import { maintain, previewMaintenance } from '../knowledge/graph-maintenance.ts';
import { revise } from '../knowledge/revision-actions.ts';
import { inTurns } from '../platform/turns.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { placeOf } from './place.ts';

/** A new learning belongs to the project it names, else to that of the folder. */
function placed(action: RevisionAction, cwd: string | undefined): RevisionAction {
  if (action.action !== 'CREATE' || action.project !== undefined) return action;
  const { project = '', scope = 'project' } = action.note ?? {};
  return { ...action, ...placeOf({ project, scope }, cwd) };
}

export function knowledgeHandlers({ store, settings, preview, signal }: DaemonParts) {
  return {
    'knowledge.revise': ({ actions, actor, cwd }) => {
      const resolve = settings.resolver();
      const parts = { store, resolve, preview: (note: Note) => preview(note, resolve) };
      return revise(
        parts,
        actions.map((action) => placed(action, cwd)),
        actor,
      );
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
