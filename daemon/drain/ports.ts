import type { PortCard } from '../ports/port.ts';
import { chunkDedup } from './chunk-dedup.ts';
import { commitReferences } from './commit-references.ts';
import { modes } from './modes/choose.ts';
import { validation } from './validation.ts';

/** What can be switched in the drain, in the order a moment meets it. */
export const DRAIN_PORTS: readonly PortCard[] = [chunkDedup, modes, validation, commitReferences];
