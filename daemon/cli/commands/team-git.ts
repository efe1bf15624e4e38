import { resolve } from 'node:path';
import type { Command } from 'commander';
import { row } from '../derive.ts';
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
        ...(stayed > 0
          ? [dim(`${plural(stayed, 'note')} not exported: from colleagues, or without a project.`)]
          : []),
        dim(`\`reflect sync --git ${folder}\` pulls, merges and pushes.`),
      ),
  );
}

export const SYNC = row({
  use: 'sync',
  method: 'team.syncGit',
  flags: {
    git: {
      field: 'folder',
      doc: 'the folder; `reflect export --git` creates one',
      value: 'folder',
      required: true,
    },
  },
  input: ({ git }) => ({ folder: resolve(String(git)) }),
  print: ({ written, received, questions, refused, pushed }) => {
    print(`${written} sent, ${received} received${pushed ? '' : '; the repository has no remote'}.`);
    for (const { file, why } of refused) print(`  refused: ${file} ${dim(why)}`);
    if (questions > 0) print(`${plural(questions, 'question')} to decide: \`reflect merges\``);
  },
});
