import type { Note } from '#contract/entities.ts';
import type { Settings } from '../../platform/settings.ts';
import type { WritableDb } from '../../store/db.ts';
import { projectRoot } from '../../store/learnings/learnings.ts';
import { chooseMode } from '../modes/choose.ts';
import { writeNote } from '../validation.ts';
import { isWorthless, type Material, Postponed, type Writer } from '../writer.ts';

export interface WordingParts {
  db: WritableDb;
  settings: Settings;
  writer: Writer;
  /** The folder of modes. */
  modes: string;
}

/** A note by the chosen writer for what no transcript holds. Null when there is nothing to keep, or no writer. */
export async function writeWithModel(
  { db, settings, writer, modes }: WordingParts,
  material: Material,
): Promise<Note | null> {
  const resolve = settings.resolver({ projectRoot: projectRoot(db, material.project) });
  try {
    const written = await writeNote(writer, material, chooseMode(modes, resolve).mode, resolve);
    return written && isWorthless(written) ? null : written;
  } catch (error) {
    if (error instanceof Postponed) return null; // the caller has words of its own, and keeps those now
    throw error;
  }
}
