import type { Handlers } from '#contract/methods.ts';
import type { DaemonParts } from './daemon-parts.ts';

type Methods = Extract<keyof Handlers, `archive.${string}`>;

export function archiveHandlers({ archive }: Pick<DaemonParts, 'archive'>): Pick<Handlers, Methods> {
  return {
    'archive.preview': () => archive.preview(),
    'archive.export': ({ path, replace }) => archive.export(path, replace),
    'archive.inspect': ({ path }) => archive.inspect(path),
    'archive.import': ({ path, mode, mine }) => archive.import(path, mode, mine),
  };
}
