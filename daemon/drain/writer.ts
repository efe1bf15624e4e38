import type * as z from 'zod';
import type { NoteInput } from '#contract/entities.ts';
import type { LeasedMoment } from '../store/capture/moments.ts';
import type { MomentPayload } from '../store/columns.ts';
import type { Mode } from './modes/mode.ts';

export type DrainedMoment = Omit<LeasedMoment, 'payload'> & MomentPayload;

/** The material of a note: a moment of a session, a judged run, or learnings that say the same. */
export type Material = Pick<
  DrainedMoment,
  'key' | 'signal' | 'project' | 'at' | 'quote' | 'type' | 'speculative' | 'why' | 'cues' | 'score' | 'turns'
> & {
  /** Somebody asked for it now, so it waits neither for more of its session nor for its turn. */
  isUrgent?: boolean;
};

/** A writer's judgement that there is nothing worth keeping, with its reason. */
export interface Worthless {
  worthless: string;
}

export const isWorthless = (written: object): written is Worthless => 'worthless' in written;

/** Turns material into a note, or says why there is nothing to keep; null when it has nothing to say at all. */
export interface Writer {
  name: string;
  /** `problems` says what was wrong with the note of the attempt before; it is empty at the first. */
  write(material: Material, mode: Mode, problems: readonly string[]): Promise<NoteInput | Worthless | null>;
}

/** A writer that judges nothing: whatever has words for a note becomes one. */
export interface PlainWriter extends Writer {
  write(material: Material, mode: Mode, problems: readonly string[]): Promise<NoteInput | null>;
}

/** Thrown by a writer that may not write yet: a moment goes back to the queue without losing an attempt. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  readonly until: number;

  constructor(why: string, until: number) {
    super(why);
    this.until = until;
  }
}

/**
 * Asks the chosen writer's model for JSON of this shape; null without a model, or when it cannot answer now. A question
 * somebody waits for (`now`) is not paced; one that can be asked again (`later`) throws `Postponed` instead.
 */
export type AskModel = <T>(
  key: string,
  prompt: string,
  schema: z.ZodType<T>,
  when?: 'now' | 'later',
) => Promise<T | null>;
