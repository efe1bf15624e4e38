import type { Handlers } from '#contract/methods.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = Extract<keyof Handlers, `imports.${string}`>;

export function importHandlers({ imports }: Pick<DaemonParts, 'imports'>): Pick<Handlers, Methods> {
  return {
    'imports.detect': ({ path }) => imports.detect(path),
    'imports.preview': (request) => imports.preview(request),
    'imports.run': (request) => imports.run(request),
  };
}
