import * as z from 'zod';
import { ArchiveDiff } from './archive.ts';
import { count, epochMs } from './fields.ts';

/** A copy of the database, made once a day and before everything that could go wrong. */
export const Backup = z.strictObject({
  name: z.string(),
  /** 0 when its date is not to be trusted. */
  madeAt: epochMs,
  why: z.string().describe('daily, by-hand, before-restore, or before-<version> for a migration'),
  bytes: count,
  /** False for a file that is no database any more. */
  isReadable: z.boolean(),
  learnings: count,
  slots: count,
});
export type Backup = z.infer<typeof Backup>;

/** A restore, or the preview of one: `added` would come back, `changed` would be as it was then, `missing` would go. */
export const Restoring = z.strictObject({
  backup: Backup,
  keepNotes: z.boolean(),
  diff: ArchiveDiff,
  /** True when nothing was changed. */
  isPreview: z.boolean(),
  /** Where the state before the restore is kept; null in a preview, and when there was nothing to keep. */
  before: z.string().nullable(),
});
export type Restoring = z.infer<typeof Restoring>;
