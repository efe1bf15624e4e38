import type { NoteInput } from '#contract/entities.ts';
import type { LeasedWindow } from '../store/windows.ts';
import type { WindowPayload } from './intake.ts';
import type { Mode } from './modes/mode.ts';

export type DrainedWindow = Omit<LeasedWindow, 'payload'> & WindowPayload;

/** Turns a window into a note, or says that there is nothing to keep. */
export interface Writer {
  name: string;
  /** `problems` says what was wrong with the note of the attempt before; it is empty at the first. */
  write(window: DrainedWindow, mode: Mode, problems: readonly string[]): Promise<NoteInput | null>;
}

/** Thrown by a writer that may not write yet: the window goes back as it was, none of its attempts spent. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  readonly until: number;

  constructor(why: string, until: number) {
    super(why);
    this.until = until;
  }
}
