import * as z from 'zod';
import { count, learningId } from './fields.ts';

/** Where notes can come from; the daemon's table of importers agrees with this list by its type. */
export const ImportKind = z.enum([
  'reflect-archive',
  'reflect-memory-archive',
  'claude-mem',
  'aiwg',
  'bao',
  'claude-memory',
  'basic-memory',
  'reflect-memory',
  'instructions',
  'markdown',
]);
export type ImportKind = z.infer<typeof ImportKind>;

/** One note of an import, its fate and the reason. */
export const ImportItem = z.strictObject({
  /** The file it was read from, and the place in it where that is not the whole file. */
  source: z.string(),
  /** Empty when it cannot be read. */
  title: z.string(),
  /** The project it goes to; empty when it is not imported. */
  project: z.string(),
  /**
   * `twin`: it is known, or a person is asked whether it is; `skipped`: retired where it comes from; `unreadable`: it
   * stays where it is.
   */
  fate: z.enum(['new', 'twin', 'skipped', 'unreadable']),
  reason: z.string(),
  /** The learning it is a twin of. */
  twin: learningId.nullable(),
});
export type ImportItem = z.infer<typeof ImportItem>;

const counts = z.strictObject({ new: count, twin: count, skipped: count, unreadable: count });

export const ImportPreview = z.strictObject({
  path: z.string(),
  kind: ImportKind,
  /** Its name for people. */
  name: z.string(),
  counts,
  /** The first of them; problems come first. */
  items: z.array(ImportItem),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

export const ImportResult = ImportPreview.extend({
  /** The notes as learnings or, until a person keeps them, as candidates. */
  added: z.array(learningId),
  kept: z.boolean(),
  /** Twins a person is now asked about. */
  questions: count,
  /** Secrets and private spans that were removed. */
  redactions: count,
  /** Candidates of this import have it as their session. */
  batch: z.string(),
  /** Undoing this change undoes the whole import; null when nothing was added. */
  changeId: z.number().int().nullable(),
});
export type ImportResult = z.infer<typeof ImportResult>;
