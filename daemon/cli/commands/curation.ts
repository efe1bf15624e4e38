import type { Command } from 'commander';
import { METHODS } from '#contract/methods.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';
import { withDaemon } from '../session.ts';

export function curationCommands(program: Command): void {
  const merges = program
    .command('merges')
    .description(METHODS['merges.list'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('merges.list', {}),
        (questions) => {
          if (questions.length === 0) return print('Nothing to decide.');
          for (const { id, kind, similarity, existing, incoming } of questions) {
            print(
              `${bold(`#${id}`)} ${dim(`${kind} ${similarity.toFixed(2)}`)}`,
              `  has  ${existing.title}`,
              `  new  ${incoming.title}`,
            );
          }
          print(dim('reflect merges answer <number> merge|keep-both|dismiss|replace'));
        },
      ),
    );
  merges
    .command('answer')
    .argument('<number>')
    .argument('<answer>', 'merge, keep-both, dismiss or replace')
    .description(METHODS['merges.resolve'].doc)
    .option('--title <text>', 'with merge: the title of the merged note')
    .option('--rule <text>', 'with merge: its rule')
    .option('--fix <text>', 'with merge: its fix')
    .action(
      (
        id: string,
        action: string,
        merged: { title?: string; rule?: string; fix?: string },
        command: Command,
      ) =>
        // The contract checks the word; its error names the choices.
        withDaemon(
          command,
          (call) => call('merges.resolve', { id: Number(id), action: action as 'merge', merged }),
          ({ changeId }) => print('Done.', dim(`\`reflect undo ${changeId}\` takes it back.`)),
        ),
    );

  program
    .command('gaps')
    .description(METHODS['gaps.list'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('gaps.list', {}),
        (gaps) => {
          if (gaps.length === 0) return print('Every question found an answer so far.');
          print(
            ...table(
              gaps.map(({ query, times, sessions, lastAt }) => [
                plural(times, 'time'),
                plural(sessions, 'session'),
                ago(lastAt),
                query,
              ]),
            ),
          );
        },
      ),
    );
}
