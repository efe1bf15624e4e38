import type { PortCard } from '../ports/port.ts';
import { chunkDedup } from './chunk-dedup.ts';
import { commitReferences } from './commit-references.ts';
import { modes } from './modes/choose.ts';
import { validation } from './validation.ts';

/** The switchable parts of the drain, in the order a moment meets them. */
export const DRAIN_PORTS: readonly PortCard[] = [chunkDedup, modes, validation, commitReferences];
