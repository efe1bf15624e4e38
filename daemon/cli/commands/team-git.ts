import { resolve } from 'node:path';
import type { Command } from 'commander';
import { METHODS } from '#contract/methods.ts';
import { dim, plural, print } from '../output.ts';
import { withDaemon } from '../session.ts';

export function exportToGit(command: Command, folder: string, project: string | undefined): Promise<void> {
  const where = project === undefined ? {} : { project, cwd: process.cwd() };
  return withDaemon(
    command,
    (call) => call('team.exportGit', { folder: resolve(folder), ...where }),
    ({ folder: to, written, stayed }) =>
      print(
        `${plural(written, 'file')} written to ${to} and committed.`,
        ...(stayed > 0 ? [dim(`${plural(stayed, 'note')} stay here: of colleagues, or of no project.`)] : []),
        dim(`\`reflect sync --git ${folder}\` pulls, merges and pushes.`),
      ),
  );
}

export function syncCommand(program: Command): void {
  program
    .command('sync')
    .description(METHODS['team.syncGit'].doc)
    .requiredOption('--git <folder>', 'the folder; `reflect export --git` makes one')
    .action(({ git }: { git: string }, command: Command) =>
      withDaemon(
        command,
        (call) => call('team.syncGit', { folder: resolve(git) }),
        ({ written, received, questions, refused, pushed }) => {
          print(`${written} sent, ${received} received${pushed ? '' : '; the repository has no remote'}.`);
          for (const { file, why } of refused) print(`  refused: ${file} ${dim(why)}`);
          if (questions > 0) print(`${plural(questions, 'question')} to decide: \`reflect merges\``);
        },
      ),
    );
}
