import type { Handlers } from '#contract/methods.ts';
import type { DaemonParts } from './daemon-parts.ts';

export function importHandlers({ imports }: Pick<DaemonParts, 'imports'>) {
  return {
    'imports.detect': ({ path }) => imports.detect(path),
    'imports.preview': (request) => imports.preview(request),
    'imports.run': (request) => imports.run(request),
  } satisfies Partial<Handlers>;
}
