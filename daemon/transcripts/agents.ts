import type { TranscriptAdapter } from './adapter.ts';
import { claudeCode } from './claude-code.ts';

/** Every agent whose transcripts Reflect can read. */
export const AGENTS: readonly TranscriptAdapter[] = [claudeCode];
