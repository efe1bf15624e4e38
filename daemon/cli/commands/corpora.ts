import type { Command } from 'commander';
import { METHODS, type Output } from '#contract/methods.ts';
import { deriveCommands, row } from '../derive.ts';
import { PROJECT_FLAG, projectNamed } from '../here.ts';
import { ago, dim, plural, print, tableOf } from '../output.ts';
import { SEARCH_FLAGS, searchInput } from '../recall-flags.ts';
import { withDaemon } from '../session.ts';
import { listOf } from '../values.ts';
import { printAnswer } from './recall.ts';

const CORPUS_COMMANDS = [
  row({
    use: 'corpus list',
    method: 'corpus.list',
    none: 'No corpus yet. Create one with `reflect corpus build <name> --tag …`.',
    print: tableOf(({ name, learnings, builtAt, stale, filter }) => [
      name,
      plural(learnings, 'learning'),
      ago(builtAt),
      stale ? 'stale' : 'fresh',
      JSON.stringify(filter),
    ]),
  }),
  row({
    use: 'corpus rebuild <name>',
    method: 'corpus.rebuild',
    print: ({ corpus, added, removed }) => {
      printBuilt(corpus);
      for (const id of added) print(`  + ${id}`);
      for (const id of removed) print(`  − ${id}`);
    },
  }),
  row({ use: 'corpus drop <name>', method: 'corpus.drop', print: () => print('Deleted.') }),
  row({
    use: 'corpus prime <name>',
    method: 'corpus.prime',
    flags: { maxTokens: 'maximum length; the rest is left out' },
    print: ({ text }) => print(text),
  }),
  row({
    use: 'corpus query <name> <question...>',
    method: 'corpus.query',
    args: { question: { field: 'query', doc: 'what to search for' } },
    flags: SEARCH_FLAGS,
    input: searchInput,
    print: printAnswer,
  }),
];

interface BuildFlags {
  tag: string[];
  category?: string;
  project?: string;
  since?: string;
  until?: string;
}

/** Build is written by hand, because its options fill a filter rather than fields. */
export function corpusCommands(program: Command): void {
  deriveCommands(program, CORPUS_COMMANDS, { corpus: 'Search a saved part of the knowledge base' });
  const corpus = program.commands.find((command) => command.name() === 'corpus') ?? program.command('corpus');

  corpus
    .command('build')
    .argument('<name>')
    .description(METHODS['corpus.build'].doc)
    .option(
      '--tag <name>',
      'with this tag; repeat it to match any of several tags',
      (tag: string, tags: string[]) => [...tags, ...listOf(tag)],
      [],
    )
    .option('--category <name>')
    .option('--project <id>', PROJECT_FLAG, projectNamed)
    .option('--since <time>', 'learned since: 2026-03-01, "last month"')
    .option('--until <time>', 'learned until')
    .action((name: string, { tag, ...filter }: BuildFlags, command: Command) =>
      withDaemon(
        command,
        (call) =>
          call('corpus.build', { name, filter: { ...filter, ...(tag.length > 0 ? { tags: tag } : {}) } }),
        printBuilt,
      ),
    );
}

function printBuilt({ name, learnings, file }: Output<'corpus.build'>): void {
  print(`${name}: ${plural(learnings, 'learning')}`, dim(`  ${file}`));
}
