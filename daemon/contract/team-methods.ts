import * as z from 'zod';
import { done, learningId, limit, none, path, project } from './fields.ts';
import { method } from './method.ts';
import { asSent } from './schema.ts';
import {
  GitExported,
  GitSynced,
  SpaceName,
  TeamLogEntry,
  TeamMember,
  TeamOutgoing,
  TeamPolicy,
  TeamPreview,
  TeamRole,
  TeamSpace,
} from './team.ts';

const url = asSent(z.string().max(2_000)).describe(
  'The server: postgres://login@host:port/database, without a password',
);
const server = z.strictObject({ url, space: SpaceName });
const everything = z
  .boolean()
  .default(false)
  .describe('Follow every project of the space, not only those on this machine');
const space = SpaceName.optional().describe('The space; optional if you are in one only');
const inSpace = z.strictObject({ space });
const joined = server.extend({
  everything,
  cwd: z.string().optional().describe('The current folder; its project is followed'),
});
const notes = inSpace.extend({
  ids: z.array(learningId).max(500).default([]),
  project: project.optional().describe('All active notes of this project'),
  cwd: z.string().optional(),
});

const folder = path.describe('A folder of git, as an absolute path on the daemon’s machine');

/** A memory shared with colleagues, on a PostgreSQL server. Part of the one table of methods. */
export const TEAM_METHODS = {
  'team.create': method(
    'Create a space on a server you own, or bring its schema up to date',
    server,
    TeamPreview,
  ),
  'team.inspect': method('Preview which notes joining a space would add', joined, TeamPreview),
  'team.join': method(
    'Join a space: you receive its notes, and nothing is sent until you publish',
    joined,
    TeamSpace,
    {
      long: true,
      emits: ['team.changed'],
    },
  ),
  'team.status': method('Show your spaces, their connection, and what is pending', none, z.array(TeamSpace)),
  'team.preview': method('Preview what publishing would send, word for word', notes, z.array(TeamOutgoing)),
  'team.publish': method(
    'Publish notes to a space; without a connection they are sent later',
    notes,
    z.strictObject({
      items: z.array(TeamOutgoing),
      queued: z.number().int(),
      /** Why it is sent later; null when it is on the server. */
      problem: z.string().nullable(),
    }),
    { emits: ['team.changed', 'inbox.changed'] },
  ),
  'team.retract': method(
    'Retract a note: it is deleted on the server and on every machine',
    inSpace.extend({ id: learningId }),
    z.strictObject({ problem: z.string().nullable() }),
    { emits: ['team.changed'] },
  ),
  'team.decline': method(
    'Do not offer a note for publishing again',
    inSpace.extend({ id: learningId, declined: z.boolean().default(true) }),
    done,
    {
      emits: ['team.changed', 'inbox.changed'],
    },
  ),
  'team.policy': method(
    'Choose what happens to proven notes of a project: ask, publish automatically, or never',
    inSpace.extend({ project: project.optional(), cwd: z.string().optional(), policy: TeamPolicy }),
    TeamSpace,
    { emits: ['team.changed', 'inbox.changed'] },
  ),
  'team.log': method(
    'List who published what, newest first',
    inSpace.extend({ limit: limit.default(50) }),
    z.array(TeamLogEntry),
  ),
  'team.members': method('List the members of a space', inSpace, z.array(TeamMember)),
  'team.setMember': method(
    'Add a login to a space, change its role, or remove it; only the owner of the database may',
    inSpace.extend({ login: z.string().min(1).max(63), role: TeamRole.nullable() }),
    z.array(TeamMember),
  ),
  'team.leave': method(
    'Leave a space; colleagues’ notes are removed after a backup, or kept as copies of your own',
    inSpace.extend({ notes: z.enum(['remove', 'keep']) }),
    z.strictObject({
      space: z.string(),
      notes: z.number().int(),
      backup: z.string().nullable(),
      /** Publications and retractions that never reached the server. */
      unsent: z.number().int(),
    }),
    { long: true, emits: ['team.changed', 'inbox.changed'] },
  ),
  'team.exportGit': method(
    'Write notes as files to a git repository and commit them',
    z.strictObject({ folder, project: project.optional(), cwd: z.string().optional() }),
    GitExported,
    { long: true },
  ),
  'team.syncGit': method(
    'Sync notes with a git repository: pull, merge and push',
    z.strictObject({ folder }),
    GitSynced,
    { long: true, emits: ['inbox.changed'] },
  ),
};
