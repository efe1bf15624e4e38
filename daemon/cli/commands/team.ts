import type { Command } from 'commander';
import { type Input, METHODS } from '#contract/methods.ts';
import type { TeamOutgoing, TeamPreview, TeamRole, TeamSpace } from '#contract/team.ts';
import { agree } from '../confirm.ts';
import { deriveCommands, row } from '../derive.ts';
import { ago, dim, plural, print, tableOf } from '../output.ts';
import { withDaemon } from '../session.ts';
import { SYNC } from './team-git.ts';

const URL_DOC = 'the server: postgres://login@host:port/database, without the password';

const printMembers = tableOf<TeamPreview['members'][number]>(({ login, role, notes, since }) => [
  login,
  role,
  plural(notes, 'note'),
  `since ${ago(since)}`,
]);

const ROWS = [
  SYNC,
  row({
    use: 'team create <url>',
    method: 'team.create',
    args: { url: URL_DOC },
    flags: { space: { doc: 'its name', required: true } },
    print: (made) => {
      printPreview(made);
      print(
        `${made.space} is ready. Join it, then add colleagues with \`reflect team members add <login>\`:`,
        `  reflect team join <url> --space ${made.space}`,
      );
    },
  }),
  row({
    use: 'team join <url>',
    method: 'team.join',
    args: { url: URL_DOC },
    flags: {
      space: { doc: 'the space', value: 'name', required: true },
      everything: 'follow every project of the space, not only those on this machine',
      yes: 'do not prompt',
    },
    ask: async ({ url, space, everything = false, yes = false }, call) => {
      const input = { url, space, everything, cwd: process.cwd() } as Input<'team.inspect'>; // checked by the daemon
      if (!yes) printPreview(await call('team.inspect', input));
      await agree(`Join ${input.space}?`, yes === true);
    },
    print: (joined) => printSpaces([joined]),
  }),
  row({
    use: 'team retract <id>',
    method: 'team.retract',
    flags: { space: { doc: 'the space', value: 'name' }, yes: 'do not prompt' },
    ask: ({ id, yes }) =>
      agree(`Delete ${String(id)} on the server and on every colleague’s machine?`, yes === true),
    print: ({ problem }) =>
      print(
        problem === null
          ? 'Retracted everywhere.'
          : `It will be retracted when the server answers: ${problem}`,
      ),
  }),
  row({ use: 'team status', method: 'team.status', print: printSpaces }),
  row({
    use: 'team log',
    method: 'team.log',
    flags: { space: {}, limit: 'how many' },
    none: 'Nobody has published anything yet.',
    print: tableOf(({ at, author, kind, title, project, conflict }) => [
      ago(at),
      author,
      conflict ? `${kind}, needs a merge` : kind,
      `${title || 'retracted'} ${dim(project)}`,
    ]),
  }),
  row({
    use: 'team members',
    method: 'team.members',
    flags: { space: {} },
    print: printMembers,
  }),
  row({
    use: 'team members add <login>',
    method: 'team.setMember',
    doc: 'Add a login to the space, or change its role',
    flags: { space: {}, role: { doc: 'reader, writer (the default) or curator', value: 'role' } },
    input: ({ role = 'writer' }) => ({ role: role as TeamRole }),
    print: printMembers,
  }),
  row({
    use: 'team members remove <login>',
    method: 'team.setMember',
    doc: 'Remove a login from the space; its notes stay',
    flags: { space: {} },
    input: () => ({ role: null }),
    print: printMembers,
  }),
];

interface PublishFlags {
  space?: string;
  project?: string;
  policy?: 'ask' | 'auto' | 'never';
  preview?: boolean;
  yes?: boolean;
}

export function teamCommands(program: Command): void {
  deriveCommands(program, ROWS, { team: 'Share notes with colleagues through a PostgreSQL server' });
  const team = program.commands.find((command) => command.name() === 'team');
  if (!team) return;
  team
    .command('publish')
    .argument('[ids...]', 'ids of notes; by default those of the project')
    .description(METHODS['team.publish'].doc)
    .option('--space <name>', 'the space')
    .option('--project <project>', 'all active notes of a project; `.` is the current one')
    .option('--policy <policy>', 'set what happens to proven notes of this project: ask, auto or never')
    .option('--preview', 'show every word that would be sent; send nothing')
    .option('--yes', 'do not prompt')
    .action((ids: string[], flags: PublishFlags, command: Command) => publish(command, ids, flags));
  team
    .command('leave')
    .argument('[space]')
    .description(METHODS['team.leave'].doc)
    .option(
      '--notes <choice>',
      'colleagues’ notes: `remove` deletes them after a backup, `keep` keeps copies',
    )
    .action((space: string | undefined, { notes }: { notes?: 'remove' | 'keep' }, command: Command) => {
      if (notes === undefined) {
        print(
          'Choose what happens to your colleagues’ notes: --notes remove (deleted, after a backup) or --notes keep (kept as copies).',
        );
        process.exitCode = 2;
        return;
      }
      return withDaemon(
        command,
        (call) => call('team.leave', { notes, ...(space ? { space } : {}) }),
        ({ space: left, notes: count, backup, unsent }) =>
          print(
            `Left ${left}. ${plural(count, 'note')} of colleagues ${notes === 'keep' ? 'kept' : 'removed'}.`,
            ...(unsent > 0
              ? [`The server did not answer: ${plural(unsent, 'change')} of yours never reached it.`]
              : []),
            ...(backup ? [dim(`Backup of the previous state: ${backup}.`)] : []),
          ),
      );
    });
}

function publish(
  command: Command,
  ids: string[],
  { space, project, policy, preview, yes = false }: PublishFlags,
): Promise<void> {
  const where = { cwd: process.cwd(), ...(space ? { space } : {}), ...(project ? { project } : {}) };
  if (policy)
    return withDaemon(
      command,
      (call) => call('team.policy', { ...where, policy }),
      (changed) => printSpaces([changed]),
    );
  if (preview) return withDaemon(command, (call) => call('team.preview', { ...where, ids }), printOutgoing);
  return withDaemon(
    command,
    async (call) => {
      if (!yes) printOutgoing(await call('team.preview', { ...where, ids }));
      await agree('Publish this?', yes);
      return call('team.publish', { ...where, ids });
    },
    ({ items, queued, problem }) => {
      print(
        `${plural(queued, 'note')} published${queued < items.length ? `, ${items.length - queued} not` : ''}.`,
      );
      for (const { title, staysBecause } of items) if (staysBecause) print(`  ${title} ${dim(staysBecause)}`);
      if (problem) print(`They will be sent when the server answers: ${problem}`);
    },
  );
}

function printPreview({ space, login, role, members, projects, incoming }: TeamPreview): void {
  print(`${space}: you are ${login}, ${role}. ${plural(members.length, 'member')}.`);
  print(
    ...projects.map(
      ({ project, notes, followed }) =>
        `  ${followed ? '+' : ' '} ${project || 'every project'} ${dim(`${plural(notes, 'note')}${followed ? '' : ', not on this machine'}`)}`,
    ),
    `You receive ${plural(incoming, 'note')}. Nothing is sent until you publish.`,
  );
  if (projects.some(({ followed }) => !followed))
    print(dim('Other projects follow once you work in them here. --everything adds them now.'));
}

function printOutgoing(items: TeamOutgoing[]): void {
  for (const { id, title, staysBecause, text } of items)
    print(
      staysBecause
        ? `${title} ${dim(`stays: ${staysBecause}`)}`
        : `${title} ${dim(id)}\n${text.replace(/^/gm, '  ')}`,
    );
}

function printSpaces(spaces: TeamSpace[]): void {
  if (spaces.length === 0)
    print('You are not in a space. Join one with `reflect team join <url> --space <name>`.');
  for (const each of spaces) {
    const {
      space,
      login,
      role,
      state,
      problem,
      syncedAt,
      published,
      received,
      proven,
      unsent,
      offers,
      policies,
      refused,
    } = each;
    print(
      `${space} ${dim(each.url)}`,
      `  ${state}${syncedAt ? `, synced ${ago(syncedAt)}` : ''}${login ? `, as ${login} (${role})` : ''}`,
      ...(problem ? [`  ${problem}`] : []),
      `  ${published} published, ${received} of colleagues, ${proven} proven by colleagues${unsent > 0 ? `, ${unsent} to be sent` : ''}`,
      ...policies
        .filter(({ policy }) => policy !== 'ask')
        .map(({ project, policy }) => `  ${project}: ${policy}`),
      ...refused.map(({ title, why }) => `  refused: ${title} ${dim(why)}`),
      ...offers
        .slice(0, 10)
        .map(({ id, title, changed }) => `  publish? ${title} ${dim(changed ? `${id}, changed since` : id)}`),
    );
  }
}
