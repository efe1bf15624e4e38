import type { Handlers } from '#contract/methods.ts';
import { revise } from '../knowledge/revision-actions.ts';
import { redactAll } from '../privacy/redact.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = Extract<keyof Handlers, `knowledge.${string}`>;

export function knowledgeHandlers({ store, settings, foresee, events }: DaemonParts): Pick<Handlers, Methods> {
  return {
    'knowledge.revise': async ({ actions, actor }) => {
      const resolve = settings.resolver();
      const revision = await revise({ store, resolve, foresee: (note) => foresee(note, resolve) }, redactAll(actions, {}), actor);
      if (revision.needsAdjudication > 0) events.emit({ type: 'inbox.changed' });
      return revision;
    },
  };
}
