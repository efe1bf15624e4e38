import type { NoteInput } from '#contract/entities.ts';
import type { LeasedWindow } from '../store/windows.ts';
import type { WindowPayload } from './intake.ts';

export type DrainedWindow = Omit<LeasedWindow, 'payload'> & WindowPayload;

/** Turns a window into a note, or says that there is nothing to keep. */
export interface Writer {
  name: string;
  write(window: DrainedWindow): Promise<NoteInput | null>;
}
