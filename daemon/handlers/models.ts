import type { Handlers } from '#contract/methods.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function modelHandlers({ inference, log }: DaemonParts) {
  return {
    'models.list': () => inference.models(),
    'models.get': ({ id }) => {
      inference.fetch(id).catch((error: unknown) => log.error('downloading models', error));
      return inference.models();
    },
  } satisfies Partial<Handlers>;
}
