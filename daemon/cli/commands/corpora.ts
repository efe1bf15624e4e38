import type { Command } from 'commander';
import { METHODS, type Output } from '#contract/methods.ts';
import { ago, dim, plural, print, table } from '../output.ts';
import { listOf, question, type RecallFlags, recallFlags, wholeNumber } from '../recall-flags.ts';
import { knobsFromEnvironment, withDaemon } from '../session.ts';
import { printAnswer } from './recall.ts';

interface BuildFlags {
  tag: string[];
  category?: string;
  project?: string;
  since?: string;
  until?: string;
}

type Corpus = Output<'corpus.build'>;

export function corpusCommands(program: Command): void {
  const corpus = program.command('corpus').description('Pin questions to a part of the knowledge base');

  corpus
    .command('build')
    .argument('<name>')
    .description(METHODS['corpus.build'].doc)
    .option(
      '--tag <name>',
      'with this tag; give it again for more, any of which will do',
      (tag: string, tags: string[]) => [...tags, ...listOf(tag)],
      [],
    )
    .option('--category <name>')
    .option('--project <id>')
    .option('--since <time>', 'learned from then on: 2026-03-01, "last month"')
    .option('--until <time>', 'learned up to then')
    .action((name: string, { tag, ...filter }: BuildFlags, command: Command) =>
      withDaemon(
        command,
        (call) =>
          call('corpus.build', { name, filter: { ...filter, ...(tag.length > 0 ? { tags: tag } : {}) } }),
        printBuilt,
      ),
    );

  corpus
    .command('list')
    .description(METHODS['corpus.list'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('corpus.list', {}),
        (corpora) => {
          if (corpora.length === 0)
            return print('No corpus yet. `reflect corpus build <name> --tag …` makes one.');
          print(
            ...table(
              corpora.map(({ name, learnings, builtAt, stale, filter }) => [
                name,
                plural(learnings, 'learning'),
                ago(builtAt),
                stale ? 'stale' : 'fresh',
                JSON.stringify(filter),
              ]),
            ),
          );
        },
      ),
    );

  recallFlags(
    corpus
      .command('query')
      .argument('<name>')
      .argument('<question...>', 'what to look for')
      .description(METHODS['corpus.query'].doc),
  ).action((name: string, words: string[], flags: RecallFlags, command: Command) =>
    withDaemon(
      command,
      async (call) => {
        const { corpus: _, ...asked } = question(words, flags, await knobsFromEnvironment(call));
        return call('corpus.query', { ...asked, name });
      },
      printAnswer,
    ),
  );

  corpus
    .command('rebuild')
    .argument('<name>')
    .description(METHODS['corpus.rebuild'].doc)
    .action((name: string, _flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('corpus.rebuild', { name }),
        ({ corpus: rebuilt, added, removed }) => {
          printBuilt(rebuilt);
          for (const id of added) print(`  + ${id}`);
          for (const id of removed) print(`  − ${id}`);
        },
      ),
    );

  corpus
    .command('drop')
    .argument('<name>')
    .description(METHODS['corpus.drop'].doc)
    .action((name: string, _flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('corpus.drop', { name }),
        () => print('Dropped.'),
      ),
    );

  corpus
    .command('prime')
    .argument('<name>')
    .description(METHODS['corpus.prime'].doc)
    .option('--max-tokens <n>', 'leave out what does not fit', wholeNumber)
    .action((name: string, { maxTokens }: { maxTokens?: number }, command: Command) =>
      withDaemon(
        command,
        (call) => call('corpus.prime', { name, maxTokens }),
        ({ text }) => print(text),
      ),
    );
}

function printBuilt({ name, learnings, file }: Corpus): void {
  print(`${name}: ${plural(learnings, 'learning')}`, dim(`  ${file}`));
}
