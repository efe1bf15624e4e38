import type { KnobValue } from '../ports/knob.ts';
import type { ReadCounts, ReadPosition } from '../transcripts/read-position.ts';
import type { CapturedEffect, CapturedWindow, Continuation } from './pipeline.ts';

/** A window as it leaves the capture thread: redacted, and with the project its own record belongs to. */
export interface CleanWindow extends Omit<CapturedWindow, 'cwd'> {
  project: { id: string; name: string; root: string } | null;
}

/** One stretch of one file: what was found in it and how far it reaches. Stored as a whole or not at all. */
export interface Batch {
  position: ReadPosition;
  counts: ReadCounts;
  windows: CleanWindow[];
  continuations: Continuation[];
  effects: CapturedEffect[];
  voided: string[];
  redactions: Record<string, number>;
  /** Nothing is left to read in this file for now. */
  caughtUp: boolean;
}

export interface WatchedFolder {
  agent: string;
  folder: string;
  present: boolean;
}

export interface CaptureStart {
  home: string;
  environment: Record<string, string>;
  positions: ReadPosition[];
  knobs: Record<string, KnobValue>;
}

export type ToCapture = { type: 'start'; start: CaptureStart } | { type: 'stored' } | { type: 'pause' } | { type: 'resume' } | { type: 'stop' };
export type FromCapture =
  | { type: 'batch'; batch: Batch }
  | { type: 'folders'; folders: WatchedFolder[] }
  | { type: 'progress'; waiting: number; bytes: number }
  | { type: 'problem'; message: string };
