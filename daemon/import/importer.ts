import type { ImportKind } from '#contract/imports.ts';
import type { NoteInput } from '#contract/entities.ts';

/** A note as another program keeps it, in our fields as far as it has them. */
export interface ForeignNote {
  note: NoteInput;
  /** The project as that program names it, or a folder of it. */
  project?: string;
  /** Epoch milliseconds; absent where the program does not say. */
  createdAt?: number;
  updatedAt?: number;
}

/** The find at one place: a note, or the reason there is none. */
export type Found = { source: string } & (ForeignNote | { problem: string } | { skipped: string });

/** Everything Reflect knows about another program's knowledge. Supporting a program means adding one of these. */
export interface Importer {
  kind: ImportKind;
  /** Its name for people. */
  name: string;
  /** True if this file or folder is of its kind; reads as little as it can. */
  detect(path: string): boolean | Promise<boolean>;
  /** Everything in it, one at a time. A part that cannot be read is reported, never thrown. */
  read(path: string): Iterable<Found> | AsyncIterable<Found>;
}

/** Thrown for a part that cannot be read; the message is the reason a person sees. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}
