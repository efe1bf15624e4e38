import * as z from 'zod';
import { LearningRow } from './entities.ts';
import { count } from './fields.ts';

const counted = z.array(z.strictObject({ value: z.string(), count }));
const tables = z.record(z.string(), count).describe('Rows by table');
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The contents of an export, for a person to review before sharing it. */
export const ArchivePreview = z.strictObject({
  learnings: count,
  /** Files, each note having two. */
  documents: count,
  /** About as large as the file will be. */
  bytes: count,
  projects: counted,
  categories: counted,
  statuses: counted,
  tables,
});
export type ArchivePreview = z.infer<typeof ArchivePreview>;

export const Exported = z.strictObject({
  path: z.string(),
  sha256,
  bytes: count,
  documents: count,
  tables,
  /** The key it was signed with; null when it was not signed. */
  signedBy: z.string().nullable(),
  /** Files that were left out because of their names, and why. */
  leftOut: z.array(z.strictObject({ path: z.string(), why: z.string() })),
});
export type Exported = z.infer<typeof Exported>;

/** A learning or a slot that an import would bring, change or take away. */
export const ArchiveItem = z.strictObject({
  kind: z.enum(['learning', 'slot']),
  id: z.string(),
  title: z.string(),
  project: z.string(),
  /** Which fields differ; empty for what is only here or only there. */
  fields: z.array(z.string()),
});
export type ArchiveItem = z.infer<typeof ArchiveItem>;

/** How many there are, and the first of them. */
const items = z.strictObject({ total: count, items: z.array(ArchiveItem) });

export const ArchiveDiff = z.strictObject({
  /** In the archive and not here. */
  added: items,
  /** In both, saying different things: a restore takes the archive's, a merge asks a person. */
  changed: items,
  /** How many of those a merge asks about; where only what was decided about a note differs, it stays as it is here. */
  conflicts: count,
  /** Here and not in the archive: a forced import takes them away, a merge leaves them. */
  missing: items,
  same: count,
});
export type ArchiveDiff = z.infer<typeof ArchiveDiff>;

/**
 * Whose an archive is. `mine` comes in as it is: a person says that they made it, or it has their own signature.
 * `known` has the signature of a key that they trust, `foreign` any other or none.
 */
const ArchiveTrust = z.enum(['mine', 'known', 'foreign']);

/** A key that signs archives. */
export const SigningKey = z.strictObject({
  /** Short, for people to compare. */
  id: z.string(),
  key: z.string().describe('The public key, to give to others'),
  name: z.string(),
  isOwn: z.boolean(),
  addedAt: z.number(),
});
export type SigningKey = z.infer<typeof SigningKey>;

export const Inspected = z.strictObject({
  path: z.string(),
  bytes: count,
  /** The version of the database it was made from. */
  schemaVersion: count,
  documents: count,
  tables,
  /** True if this knowledge base is empty, so that a plain import is possible. */
  targetEmpty: z.boolean(),
  trust: ArchiveTrust,
  signedBy: z.string().nullable(),
  diff: ArchiveDiff,
});
export type Inspected = z.infer<typeof Inspected>;

export const ImportMode = z.enum(['restore', 'force', 'merge']);
export type ImportMode = z.infer<typeof ImportMode>;

export const Imported = z.strictObject({
  mode: ImportMode,
  trust: ArchiveTrust,
  /** Undone, it removes all that a merge added; null when it added nothing. */
  changeId: z.number().int().nullable(),
  added: items,
  /** Items a restore replaced; always none for a merge. */
  replaced: items,
  /** Items that differ and that a merge kept as they are here: conflicts (now questions), slots and decisions. */
  stayed: items,
  /** How many questions a person now has to answer; those asked before are not asked again. */
  conflicts: count,
  removed: items,
  same: count,
  /** An export of what was here before; null when there was nothing or nothing went. */
  backup: z.string().nullable(),
  /** The folder that files other than notes were moved to; null if there were none. */
  keptFiles: z.string().nullable(),
});
export type Imported = z.infer<typeof Imported>;

/** An import whose notes wait for a person. */
export const ImportBatch = z.strictObject({
  from: z.string().describe('The name of the archive'),
  at: z.number(),
  /** Notes that are new here and wait. */
  added: count,
  /** Notes that say something else here; each is a merge question. */
  changed: count,
  /** Notes that were here already, in the same words. */
  same: count,
});
export type ImportBatch = z.infer<typeof ImportBatch>;

/** The first notes of an import that wait. */
export const ImportBatchDetail = z.strictObject({
  added: z.array(LearningRow),
  changed: z.array(z.strictObject({ questionId: count, title: z.string(), fields: z.array(z.string()) })),
});
export type ImportBatchDetail = z.infer<typeof ImportBatchDetail>;

export const ArchiveProgress = z.strictObject({
  job: z.enum(['export', 'inspect', 'import']),
  step: z.string(),
  done: count,
  total: count,
});
export type ArchiveProgress = z.infer<typeof ArchiveProgress>;
