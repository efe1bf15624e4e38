import { resolve } from 'node:path';
import type { Command } from 'commander';
import { DaemonError } from '#contract/errors.ts';
import type { Input, Output } from '#contract/methods.ts';
import type { Deleted } from '#contract/privacy-methods.ts';
import { IgnoreRules } from '../../platform/ignore.ts';
import { confirm } from '../confirm.ts';
import { deriveCommands, row } from '../derive.ts';
import { projectNamed } from '../here.ts';
import { dim, plural, print } from '../output.ts';
import { withDaemon } from '../session.ts';

interface DeleteFlags {
  session?: string;
  project?: string;
  yes?: true;
}

const PRIVACY_COMMANDS = [
  row({
    use: 'unignore [rule]',
    method: 'capture.unignore',
    args: { rule: 'a rule as `reflect ignore` lists it, or . for this project' },
    flags: { agent: { field: 'rule', value: 'name', doc: 'an agent, such as cursor' } },
    input: ({ rule, agent }) => {
      if (rule ?? agent) return {};
      throw new DaemonError('bad-input', 'Name a rule, as `reflect ignore` lists them, or `--agent`.');
    },
    print: ({ rule }) => print(`No longer ignored: ${rule ?? ''}`),
  }),
];

export function privacyCommands(program: Command): void {
  program
    .command('ignore')
    .argument('[folder]', 'a folder or pattern, or . for this project; without one, the list is printed')
    .option('--agent <name>', 'an agent, such as cursor')
    .option('--delete', 'also delete for good what was captured from it')
    .option('--yes', 'do not ask before deleting')
    .description('Leave a project, a folder or an agent alone: nothing is read, recorded or injected there')
    .addHelpText(
      'after',
      '\nExamples:\n  reflect ignore .                this project, in all its clones\n  reflect ignore "~/private/**"    every folder below\n  reflect ignore --agent cursor\n\nA file .reflectignore in a repository does the same: empty for all of it, or a folder on each line.',
    )
    .action(
      async (
        folder: string | undefined,
        { agent, delete: deletes, yes }: { agent?: string; delete?: true; yes?: true },
        command: Command,
      ) => {
        if (folder === undefined && agent === undefined)
          return withDaemon(command, (call) => call('capture.ignored', {}), printRules);
        if (deletes) await confirm('Delete for good what was captured from it?', yes ?? false);
        const what = agent === undefined ? { folder: placeOf(folder ?? '') } : { agent };
        return withDaemon(
          command,
          (call) => call('capture.ignore', { ...what, delete: deletes ?? false }),
          ({ rule, deleted, notices }) => {
            print(`Ignored: ${rule ?? ''}`, ...notices.map(dim));
            if (deleted) printDeleted(deleted);
          },
        );
      },
    );
  program
    .command('delete')
    .argument('[ids...]', 'learnings by their id')
    .option('--session <id>', 'all that was captured from a session')
    .option(
      '--project <id>',
      'all that is known of a project, by its id as `reflect projects` lists it, or . for this one',
      projectNamed,
    )
    .option('--yes', 'do not ask')
    .description('Delete learnings, a session or a project for good; `reflect archive` can be undone')
    .action(async (ids: string[], { session, project, yes }: DeleteFlags, command: Command) => {
      const [method, input, what] = targetOf(ids, session, project);
      await confirm(
        `Delete ${what} for good? Notes, history, evidence, files and vectors go, and backups are replaced.`,
        yes ?? false,
      );
      return withDaemon(command, (call) => call(method, input as never), printDeleted); // each method with its own input
    });
  deriveCommands(program, PRIVACY_COMMANDS);
}

type DeleteMethod = 'learnings.delete' | 'sessions.delete' | 'projects.delete';

function targetOf(
  ids: string[],
  session: string | undefined,
  project: string | undefined,
): [DeleteMethod, Input<DeleteMethod>, string] {
  const given = [ids.length > 0, session !== undefined, project !== undefined].filter(Boolean).length;
  if (given !== 1) throw new DaemonError('bad-input', 'Pass ids of learnings, --session or --project.');
  if (session !== undefined) return ['sessions.delete', { session }, `all of session ${session}`];
  if (project !== undefined) return ['projects.delete', { project }, `all of project ${project}`];
  return ['learnings.delete', { ids }, plural(ids.length, 'learning')];
}

/** A pattern stays as it was typed; a folder is made whole, because the daemon is elsewhere. */
const placeOf = (folder: string) => (/[*?]|^~/.test(folder) ? folder : resolve(folder));

function printRules({ rules }: Output<'capture.ignored'>): void {
  const byFile = new IgnoreRules('').hasFolder(process.cwd());
  const lines = [...rules, ...(byFile ? ['this folder, by the .reflectignore of its repository'] : [])];
  print(...(lines.length > 0 ? lines : ['Nothing is ignored. `reflect ignore .` ignores this project.']));
}

function printDeleted({ learnings, moments, files, notices }: Deleted): void {
  print(
    `Deleted ${plural(learnings, 'learning')}, ${plural(moments, 'moment')} and ${plural(files, 'file')}.`,
    ...notices.map(dim),
  );
}
