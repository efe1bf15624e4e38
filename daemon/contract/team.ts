import * as z from 'zod';
import { count, epochMs, learningId, project } from './fields.ts';

/** A space's name, as everybody in it types it. */
export const SpaceName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'the name of a space has lower-case letters, digits and hyphens');

/** reader: gets notes; writer: publishes own ones; curator: changes everybody's and may publish for every project. */
export const TeamRole = z.enum(['reader', 'writer', 'curator']);
export type TeamRole = z.infer<typeof TeamRole>;

/** The fate of a note that proved itself: a person is asked, it is published, or it stays here. */
export const TeamPolicy = z.enum(['ask', 'auto', 'never']);
export type TeamPolicy = z.infer<typeof TeamPolicy>;

export const TeamMember = z.strictObject({
  login: z.string(),
  role: TeamRole,
  since: epochMs,
  notes: count,
});
export type TeamMember = z.infer<typeof TeamMember>;

export const TeamLogEntry = z.strictObject({
  seq: count,
  kind: z.enum(['create', 'update', 'archive', 'delete']),
  author: z.string(),
  at: epochMs,
  project,
  /** The second of two edits of one version: it waits in its author's Inbox. */
  conflict: z.boolean(),
  noteId: z.string(),
  title: z.string(),
});
export type TeamLogEntry = z.infer<typeof TeamLogEntry>;

/** The notes that joining would bring in. Nothing goes out by joining. */
export const TeamPreview = z.strictObject({
  space: z.string(),
  login: z.string(),
  role: TeamRole,
  members: z.array(TeamMember),
  projects: z.array(z.strictObject({ project, notes: count, followed: z.boolean() })),
  incoming: count,
});
export type TeamPreview = z.infer<typeof TeamPreview>;

/** One note on its way out, with every word that would leave this machine. */
export const TeamOutgoing = z.strictObject({
  id: learningId,
  title: z.string(),
  project,
  /** Why it stays here; null when it goes. */
  staysBecause: z.string().nullable(),
  kind: z.enum(['create', 'update', 'archive', 'delete']),
  text: z.string(),
});
export type TeamOutgoing = z.infer<typeof TeamOutgoing>;

export const TeamSpace = z.strictObject({
  space: z.string(),
  /** Never with a password. */
  url: z.string(),
  login: z.string(),
  role: TeamRole.nullable(),
  state: z.enum(['connecting', 'connected', 'offline']),
  /** Why it is offline, or what a person should know. */
  problem: z.string().nullable(),
  syncedAt: epochMs.nullable(),
  everything: z.boolean(),
  /** How far the log was read. */
  position: count,
  published: count,
  received: count,
  /** Notes here that a colleague's note proves. */
  proven: count,
  /** Published and not yet on the server. */
  unsent: count,
  refused: z.array(z.strictObject({ title: z.string(), why: z.string(), at: epochMs })),
  policies: z.array(z.strictObject({ project, policy: TeamPolicy })),
  /** Notes that proved themselves, or published ones that changed since. */
  offers: z.array(z.strictObject({ id: learningId, title: z.string(), project, changed: z.boolean() })),
});
export type TeamSpace = z.infer<typeof TeamSpace>;

/** A note that waits in the Inbox for its publication, with every word that would leave. */
export const PublishOffer = z.strictObject({
  space: z.string(),
  id: learningId,
  title: z.string(),
  project,
  /** It was published before and its words changed since. */
  changed: z.boolean(),
  text: z.string(),
});
export type PublishOffer = z.infer<typeof PublishOffer>;

/** Notes written to a folder of git. */
export const GitExported = z.strictObject({
  space: z.string(),
  folder: z.string(),
  written: count,
  /** Notes of colleagues, of no project, or no longer in use. */
  stayed: count,
});
export type GitExported = z.infer<typeof GitExported>;

export const GitSynced = z.strictObject({
  space: z.string(),
  folder: z.string(),
  /** Files that were pushed; without a remote, committed. */
  written: count,
  received: count,
  /** Files that are no notes, or that may not come in. */
  refused: z.array(z.strictObject({ file: z.string(), why: z.string() })),
  /** Questions in the Inbox about notes that both sides changed. */
  questions: count,
  /** False for a repository without a remote. */
  pushed: z.boolean(),
});
export type GitSynced = z.infer<typeof GitSynced>;
