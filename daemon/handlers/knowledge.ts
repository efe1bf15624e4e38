import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import { expired, forgetExpired } from '../knowledge/forget.ts';
import { maintain, rehearse } from '../knowledge/graph-maintenance.ts';
import { revise } from '../knowledge/revision-actions.ts';
import { inSlices } from '../knowledge/slices.ts';
import { redactAll } from '../privacy/redact.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = Extract<keyof Handlers, `knowledge.${string}`>;

export function knowledgeHandlers({ store, settings, preview }: DaemonParts): Pick<Handlers, Methods> {
  const finish = async <T>(steps: Generator<void, T>): Promise<T> => {
    const result = await inSlices(steps, () => store.db.open);
    if (result === null) throw new DaemonError('unreachable', 'Reflect was stopped');
    return result;
  };
  return {
    'knowledge.revise': ({ actions, actor }) => {
      const resolve = settings.resolver();
      return revise(
        { store, resolve, preview: (note) => preview(note, resolve) },
        redactAll(actions, {}),
        actor,
      );
    },
    'knowledge.forget': async ({ dryRun }) => ({
      dryRun,
      forgotten: dryRun ? expired(store) : await finish(forgetExpired(store)),
    }),
    'knowledge.maintain': async ({ dryRun }) => ({
      dryRun,
      ...(dryRun ? rehearse(store.db) : await finish(maintain(store.db))),
    }),
  };
}
