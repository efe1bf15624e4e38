import type { TeamLogEntry } from '#contract/team.ts';
import { formatCount, plural } from '../ui/format.ts';

const DID: Record<TeamLogEntry['kind'], string> = {
  create: 'published',
  update: 'changed',
  archive: 'archived',
  delete: 'retracted',
};

export const spaceWords = {
  title: 'Shared with colleagues',
  none: 'Share notes with colleagues through a PostgreSQL server of yours.',
  join: 'Join a space…',
  joinAnother: 'Join another space…',
  server: 'Server',
  serverExample: 'postgres://ana@db.example/reflect',
  spaceExample: 'acme',
  space: 'Space',
  look: 'Preview',
  create: 'Create it',
  password:
    'Leave the password out: Reflect stores none. It takes it from PGPASSWORD in the daemon’s environment, from REFLECT_TEAM_PASSWORD_COMMAND or from ~/.pgpass.',
  preview: 'What joining brings',
  youAre: (space: string, login: string, role: string, members: number) =>
    `In ${space} you are ${login}, ${role}. It has ${plural(members, 'member', 'members')}.`,
  everyProject: 'every project',
  notFollowed: 'not on this machine',
  everything: 'Also bring in projects that are not on this machine',
  incoming: (notes: number) =>
    `Coming in: ${plural(notes, 'note', 'notes')}. Going out: nothing until you publish it.`,
  joinNow: (space: string) => `Join ${space}`,
  states: { connecting: 'connecting', connected: 'connected', offline: 'offline' },
  connection: (login: string, role: string | null, url: string) =>
    login ? `as ${login} (${role ?? 'unknown'}), ${hostOf(url)}` : hostOf(url),
  inStep: (ago: string) => `synced ${ago}`,
  goesOn: 'Everything here goes on working. What you publish is sent later.',
  counts: (published: number, received: number, proven: number, unsent: number) =>
    [
      `${formatCount(published)} published`,
      `${formatCount(received)} from colleagues`,
      `${formatCount(proven)} of yours proven by colleagues`,
      ...(unsent > 0 ? [`${formatCount(unsent)} to be sent`] : []),
    ].join(', '),
  refused: (title: string, why: string) => `Refused: ${title}. ${why}`,
  activity: 'Activity',
  older: 'Show older',
  members: 'Members',
  did: (kind: TeamLogEntry['kind'], conflict: boolean) => `${DID[kind]}${conflict ? ' (to be merged)' : ''}`,
  gone: 'a retracted note',
  leave: 'Leave…',
  leaveTitle: (space: string) => `Leave ${space}?`,
  leaveSays:
    'Your colleagues’ notes are deleted here, after one backup. What you published stays with them; retract it first if it should not.',
  leaveUnsent: (count: number) =>
    `${plural(count, 'change', 'changes')} of yours did not reach the server yet. If it does not answer now, they never will.`,
  leaveKeep: 'Keep copies of their notes',
  leaveNow: 'Leave',
  waits: 'Waits to be published',
  more: (count: number) => `${formatCount(count)} more in the Inbox`,
  changed: 'changed since',
  publishOne: 'Publish…',
  decline: 'Keep here',
  publishTo: (space: string) => `Publish to ${space}?`,
  everyWord: 'This is every word that leaves your machine:',
  stays: (why: string) => `It stays here: ${why}.`,
  publish: 'Publish',
  policies: 'When a note of a project proves itself',
  policyOf: (project: string) => `Policy of ${project}`,
  policy: { ask: 'ask', auto: 'publish it', never: 'keep it here' },
  retract: 'Retract everywhere',
  retractTitle: 'Retract it everywhere?',
  retractSays: (title: string) =>
    `“${title}” is deleted on the server and on every machine that received it. Its author keeps their own note.`,
  retractNow: 'Retract it',
};

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
