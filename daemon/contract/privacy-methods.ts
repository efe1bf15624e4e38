import * as z from 'zod';
import { count, learningId as id, none, path, project, session } from './fields.ts';
import { method } from './method.ts';
import { asSent } from './schema.ts';

/** The result of a deletion for good. */
export const Deleted = z.strictObject({
  learnings: count,
  moments: count,
  files: count,
  /** Says what was done to copies, and what Reflect does not delete. */
  notices: z.array(z.string()),
});
export type Deleted = z.infer<typeof Deleted>;

const Ignored = z.strictObject({
  /** All rules as they stand: folder patterns, `project:<id>`, `agent:<name>`. */
  rules: z.array(z.string()),
  /** The rule that was added or removed. */
  rule: z.string().nullable(),
  deleted: Deleted.nullable(),
  notices: z.array(z.string()),
});

const MORE = { long: true, emits: ['inbox.changed', 'outcomes.changed'] } as const;

/** A person's say over what Reflect reads and keeps. Part of the one table of methods. */
export const PRIVACY_METHODS = {
  'learnings.delete': method(
    'Delete learnings for good: notes, history, evidence, files, vectors and backups. This cannot be undone',
    z.strictObject({ ids: z.array(id).min(1).max(500) }),
    Deleted,
    MORE,
  ),
  'sessions.delete': method(
    'Delete everything captured from a session for good. This cannot be undone',
    z.strictObject({ session: session.min(1) }),
    Deleted,
    MORE,
  ),
  'projects.delete': method(
    'Delete everything about a project for good. This cannot be undone',
    z.strictObject({ project: asSent(project.min(1)) }),
    Deleted,
    MORE,
  ),
  'capture.ignored': method('List ignored folders, projects and agents', none, Ignored),
  'capture.ignore': method(
    'Ignore a project, a folder or an agent: nothing is read, recorded or injected there',
    z.strictObject({
      folder: path.optional().describe('A folder or pattern; the folder of a project stands for the project'),
      project: asSent(project.min(1)).optional().describe('A project by its id'),
      agent: asSent(z.string().min(1).max(60)).optional(),
      delete: z.boolean().default(false).describe('Also delete what was captured from it, for good'),
    }),
    Ignored,
    { ...MORE, emits: ['settings.changed', 'inbox.changed'] },
  ),
  'capture.unignore': method(
    'Stop ignoring a project, folder or agent',
    z.strictObject({ rule: asSent(z.string().min(1).max(4_096)), cwd: path.optional() }),
    Ignored,
    { emits: ['settings.changed'] },
  ),
};
