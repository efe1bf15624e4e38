import { Imports } from '../import/imports.ts';
import type { Core } from './core.ts';
import type { DaemonParts } from '../handlers/daemon-parts.ts';

/** Starts the import of what other programs know. */
export function startImports(core: Core, preview: DaemonParts['preview']): Imports {
  const { store, resolve, signal, events, running } = core;
  const imports = new Imports({
    store,
    resolve,
    signal,
    preview,
    onProgress: (progress) => events.emit({ type: 'archive.progress', progress }),
  });
  running.add('imports', () => imports.stop());
  return imports;
}
