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
      throw new DaemonError('bad-input', 'Pass a rule from `reflect ignore`, or `--agent`.');
    },
    print: ({ rule, notices }) => print(`No longer ignored: ${rule ?? ''}`, ...notices.map(dim)),
  }),
];

export function privacyCommands(program: Command): void {
  program
    .command('ignore')
    .argument('[folder]', 'a folder or pattern, or . for this project; prints the list if left out')
    .option('--agent <name>', 'an agent, such as cursor')
    .option('--delete', 'also delete what was captured from it, for good')
    .option('--yes', 'delete without a prompt')
    .description('Ignore a project, a folder or an agent: nothing is read, recorded or injected there')
    .addHelpText(
      'after',
      '\nExamples:\n  reflect ignore .                this project, in all its clones\n  reflect ignore "~/private/**"    every folder below\n  reflect ignore --agent cursor\n\nA .reflectignore file in a repository does the same: empty for all of it, or one folder per line.',
    )
    .action(
      async (
        folder: string | undefined,
        { agent, delete: deletes, yes }: { agent?: string; delete?: true; yes?: true },
        command: Command,
      ) => {
        if (folder === undefined && agent === undefined)
          return withDaemon(command, (call) => call('capture.ignored', {}), printRules);
        if (deletes) await confirm('Delete everything captured from it, for good?', yes ?? false);
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
    .option('--session <id>', 'everything captured from a session')
    .option(
      '--project <id>',
      'everything about a project: an id from `reflect projects`, or . for the current one',
      projectNamed,
    )
    .option('--yes', 'do not prompt')
    .description(
      'Delete learnings, a session or a project for good. To be able to undo it, use `reflect archive`',
    )
    .action(async (ids: string[], { session, project, yes }: DeleteFlags, command: Command) => {
      const [method, input, what] = targetOf(ids, session, project);
      await confirm(
        `Delete ${what} for good, with history, evidence and files? Backups are replaced.`,
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
  if (session !== undefined) return ['sessions.delete', { session }, `everything from session ${session}`];
  if (project !== undefined) return ['projects.delete', { project }, `everything about project ${project}`];
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
