import type { Handlers } from '#contract/methods.ts';
import { captureHandlers } from './capture.ts';
import { configHandlers } from './config.ts';
import { curationHandlers } from './curation.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { hookHandlers } from './hooks.ts';
import { learningHandlers } from './learnings.ts';
import { modelHandlers } from './models.ts';
import { recallHandlers } from './recall.ts';
import { statusHandlers } from './status.ts';

/** One function per method of the contract. */
export function createHandlers(parts: DaemonParts): Handlers {
  return {
    ...statusHandlers(parts),
    ...recallHandlers(parts),
    ...learningHandlers(parts),
    ...curationHandlers(parts),
    ...captureHandlers(parts),
    ...configHandlers(parts),
    ...modelHandlers(parts),
    ...hookHandlers(parts),
  };
}
