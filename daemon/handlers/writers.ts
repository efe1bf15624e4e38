import { DaemonError } from '#contract/errors.ts';
import type { Handlers } from '#contract/methods.ts';
import { settingsFor } from '../drain/writers/llm/discovery.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function writerHandlers({ settings, writer }: DaemonParts) {
  return {
    'writers.list': () => writer.find(),
    'writers.use': async ({ id, model = '' }) => {
      const found = (await writer.find()).find((known) => known.id === id);
      if (!found?.available)
        throw new DaemonError('bad-input', `${found?.name ?? id} is not available on this machine.`);
      if (model && found.models.length > 0 && !found.models.includes(model))
        throw new DaemonError(
          'bad-input',
          `${found.name} has no model ${model}, only ${found.models.join(', ')}.`,
        );
      for (const [name, value] of settingsFor(id, model || (found.models[0] ?? '')))
        settings.set(name, value);
      return writer.find();
    },
  } satisfies Partial<Handlers>;
}
