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
  none: 'Share notes with colleagues through your own PostgreSQL server.',
  join: 'Join a space…',
  joinAnother: 'Join another space…',
  server: 'Server',
  serverExample: 'postgres://ana@db.example/reflect',
  spaceExample: 'acme',
  space: 'Space',
  look: 'Preview',
  create: 'Create it',
  password:
    'Leave the password out; Reflect stores none. It reads PGPASSWORD, REFLECT_TEAM_PASSWORD_COMMAND or ~/.pgpass.',
  preview: 'What you will receive',
  youAre: (space: string, login: string, role: string, members: number) =>
    `In ${space} you are ${login}, ${role}. It has ${plural(members, 'member', 'members')}.`,
  everyProject: 'every project',
  notFollowed: 'not on this machine',
  everything: 'Include projects that are not on this machine',
  incoming: (notes: number) =>
    `You receive ${plural(notes, 'note', 'notes')}. Nothing is sent until you publish.`,
  joinNow: (space: string) => `Join ${space}`,
  states: { connecting: 'connecting', connected: 'connected', offline: 'offline' },
  connection: (login: string, role: string | null, url: string) =>
    login ? `as ${login} (${role ?? 'unknown'}), ${hostOf(url)}` : hostOf(url),
  inStep: (ago: string) => `synced ${ago}`,
  goesOn: 'Everything keeps working here. What you publish is sent later.',
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
  did: (kind: TeamLogEntry['kind'], conflict: boolean) => `${DID[kind]}${conflict ? ' (needs a merge)' : ''}`,
  gone: 'a retracted note',
  leave: 'Leave…',
  leaveTitle: (space: string) => `Leave ${space}?`,
  leaveSays:
    'Your colleagues’ notes are deleted here, after a backup. What you published stays with them unless you retract it first.',
  leaveUnsent: (count: number) =>
    `${plural(count, 'change', 'changes')} of yours not sent yet. If the server does not respond now, they are lost.`,
  leaveKeep: 'Keep copies of their notes',
  leaveNow: 'Leave',
  waits: 'Ready to publish',
  more: (count: number) => `${formatCount(count)} more in the Inbox`,
  changed: 'changed since',
  publishOne: 'Publish…',
  decline: 'Keep here',
  publishTo: (space: string) => `Publish to ${space}?`,
  everyWord: 'This is every word that leaves your machine:',
  stays: (why: string) => `It stays here: ${why}.`,
  publish: 'Publish',
  policies: 'When a note has proved useful',
  policyOf: (project: string) => `Policy of ${project}`,
  policy: { ask: 'ask', auto: 'publish it', never: 'keep it here' },
  retract: 'Retract everywhere',
  retractTitle: 'Retract it everywhere?',
  retractSays: (title: string) =>
    `“${title}” is deleted on the server and on every machine that received it. Its author keeps their own note.`,
  retractNow: 'Retract it',
};

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
