import type { KnobValue } from '../ports/knob.ts';
import type { ReadCounts, ReadPosition } from '../platform/read-position.ts';
import type { CapturedMoment, Continuation, SessionSign } from './captured.ts';
import type { Effect } from './port.ts';
import type { ReadProgress } from './progress.ts';

type InProject = { project: { id: string; name: string; root: string } | null };

/** A moment as it leaves the capture thread: redacted, and with the project its own record belongs to. */
export type CleanMoment = Omit<CapturedMoment, 'cwd'> & InProject;
type CleanEffect = Effect & InProject & { session: string; at: number };

/** One stretch of one file: what was found in it and how far it reaches. Stored as a whole or not at all. */
export interface Batch {
  position: ReadPosition;
  counts: ReadCounts;
  moments: CleanMoment[];
  continuations: Continuation[];
  effects: CleanEffect[];
  complete: string[];
  voided: string[];
  sessions: Array<Omit<SessionSign, 'cwd'> & InProject>;
  redactions: Record<string, number>;
  /** Nothing is left to read in this file for now. */
  caughtUp: boolean;
  /** The file's modification time when it was swept as idle; null when it was read instead (SG3). */
  sweptMtime: number | null;
}

export interface WatchedFolder {
  agent: string;
  folder: string;
  present: boolean;
}

export interface CaptureStart {
  home: string;
  environment: NodeJS.ProcessEnv;
  positions: ReadPosition[];
  /** Files already swept as idle, with their modification times. */
  swept: Record<string, number>;
  /** Agents that were ignored before, and since when their words count. */
  readSince: Record<string, number>;
  knobs: Record<string, KnobValue>;
}

/** A hook asks that a transcript be read now: it knows of it before its folder is scanned. */
export interface ReadRequest {
  path: string;
  /** The agent has finished answering: what was noticed in this turn is complete. */
  turnEnded?: boolean;
  /** The session has ended: its signals report what they held back. */
  ended?: boolean;
  /** The agent asks for permission to use this tool, which some transcripts do not record. */
  asksFor?: string;
}

export type ToCapture =
  | { type: 'start'; start: CaptureStart }
  | { type: 'stored' }
  | { type: 'read'; request: ReadRequest }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'stop' };
export type FromCapture =
  | { type: 'batch'; batch: Batch }
  | { type: 'folders'; folders: WatchedFolder[] }
  | { type: 'request-done'; path: string }
  | { type: 'progress'; progress: ReadProgress }
  | { type: 'problem'; message: string };
