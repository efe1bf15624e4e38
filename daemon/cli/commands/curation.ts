import type { Command } from 'commander';
import { colleagueOf } from '../colleague.ts';
import { deriveCommands, row } from '../derive.ts';
import { ago, bold, dim, plural, print, tableOf } from '../output.ts';

const CURATION_COMMANDS = [
  row({
    use: 'merges',
    method: 'merges.list',
    none: 'All caught up.',
    print: (questions) => {
      for (const { id, kind, similarity, existing, incoming } of questions) {
        print(
          `${bold(`#${id}`)} ${dim(`${kind} ${similarity.toFixed(2)}`)}`,
          `  has  ${existing.title} ${dim(colleagueOf(existing))}`.trimEnd(),
          `  new  ${incoming.title} ${dim(colleagueOf(incoming))}`.trimEnd(),
        );
      }
      print(dim('reflect merges answer <number> merge|keep-both|dismiss|replace'));
    },
  }),
  row({
    use: 'merges answer <number> <answer>',
    method: 'merges.resolve',
    args: {
      number: { field: 'id' },
      answer: { field: 'action', doc: 'merge, keep-both, dismiss or replace' },
    },
    flags: {
      title: { doc: 'with merge: the title of the merged note', value: 'text' },
      rule: { doc: 'with merge: its rule', value: 'text' },
      fix: { doc: 'with merge: its fix', value: 'text' },
    },
    input: ({ title, rule, fix }) => ({ merged: { title, rule, fix } as { title?: string } }), // undefined fields are not sent
    print: ({ changeId }) => print('Done.', dim(`\`reflect undo ${changeId}\` undoes it.`)),
  }),
  row({
    use: 'gaps',
    method: 'gaps.list',
    none: 'No unanswered questions.',
    print: tableOf(({ query, times, sessions, lastAt }) => [
      plural(times, 'time'),
      plural(sessions, 'session'),
      ago(lastAt),
      query,
    ]),
  }),
];

export const curationCommands = (program: Command): void => deriveCommands(program, CURATION_COMMANDS);
