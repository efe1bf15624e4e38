import { type Command, InvalidArgumentError, Option } from 'commander';
import { METHODS, type Output } from '#contract/methods.ts';
import { FACT_CATEGORIES, TASK_OUTCOMES, type TaskOutcome } from '#contract/outcomes.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';
import { listOf, wholeNumber } from '../recall-flags.ts';
import { withDaemon } from '../session.ts';

interface AddFlags {
  outcome: TaskOutcome;
  lessons: string;
  category?: string;
  quality?: number;
  keywords?: string;
}

export function experienceCommands(program: Command): void {
  const experience = program
    .command('experience')
    .description('What finished tasks taught, and how well it has held');
  experience
    .command('query')
    .argument('<task...>')
    .description(METHODS['experience.query'].doc)
    .option('--limit <n>', 'at most this many', wholeNumber)
    .action((words: string[], { limit }: { limit?: number }, command: Command) =>
      withDaemon(
        command,
        (call) => call('experience.query', { task: words.join(' '), cwd: process.cwd(), limit }),
        ({ text, notices }) => print(...notices.map(dim), text || 'No experience with such a task yet.'),
      ),
    );
  experience
    .command('list')
    .description(METHODS['experience.list'].doc)
    .option('--category <name>')
    .option('--deprecated', 'only what is no longer true')
    .action((flags: { category?: string; deprecated?: boolean }, command: Command) =>
      withDaemon(command, (call) => call('experience.list', flags), printExperiences),
    );
  experience
    .command('add')
    .argument('<task...>')
    .description(METHODS['experience.add'].doc)
    .addOption(new Option('--outcome <how>', 'how it ended').choices(TASK_OUTCOMES).makeOptionMandatory())
    .requiredOption('--lessons <text>', 'what it taught')
    .option('--category <name>')
    .option('--quality <1…5>', 'how good the lesson is', wholeNumber)
    .option('--keywords <list>', 'separated by commas')
    .action((words: string[], { keywords, ...said }: AddFlags, command: Command) =>
      withDaemon(
        command,
        (call) =>
          call('experience.add', {
            ...said,
            task: words.join(' '),
            cwd: process.cwd(),
            keywords: keywords === undefined ? undefined : listOf(keywords),
          }),
        ({ experience: { id } }) => print(id),
      ),
    );
  experience
    .command('feedback')
    .argument('<id>')
    .argument('<helped>', 'yes or no', yesOrNo)
    .description(METHODS['experience.feedback'].doc)
    .option('--reason <text>')
    .action((id: string, helped: boolean, flags: { reason?: string }, command: Command) =>
      withDaemon(
        command,
        (call) => call('experience.feedback', { id, helped, ...flags }),
        (known) => printExperiences([known]),
      ),
    );
  experience
    .command('deprecate')
    .argument('<id>')
    .description(METHODS['experience.deprecate'].doc)
    .option('--reason <text>')
    .action((id: string, flags: { reason?: string }, command: Command) =>
      withDaemon(
        command,
        (call) => call('experience.deprecate', { id, ...flags }),
        () => print('Deprecated.', dim('`reflect undo` takes it back.')),
      ),
    );
  experience
    .command('cleanup')
    .description(METHODS['experience.cleanup'].doc)
    .option('--dry-run', 'only say what would go')
    .action((flags: { dryRun?: boolean }, command: Command) =>
      withDaemon(
        command,
        (call) => call('experience.cleanup', flags),
        ({ forgotten }) => {
          print(
            forgotten.length === 0
              ? 'Nothing has to go.'
              : `${flags.dryRun ? 'Would forget' : 'Forgot'} ${plural(forgotten.length, 'experience')}:`,
          );
          for (const { id, task, why } of forgotten) print(`  ${task} ${dim(`${id} · ${why}`)}`);
        },
      ),
    );
  experience
    .command('merge')
    .description(METHODS['experience.merge'].doc)
    .option('--dry-run', 'only say what would be proposed')
    .action((flags: { dryRun?: boolean }, command: Command) =>
      withDaemon(
        command,
        (call) => call('experience.merge', flags),
        ({ principles }) => {
          if (principles.length === 0) print('No category has three experiences of its own yet.');
          for (const { id, title, sources } of principles)
            print(
              bold(title),
              dim(`  ${[id, `from ${plural(sources.length, 'experience')}`].filter(Boolean).join(' · ')}`),
            );
        },
      ),
    );

  experience
    .command('remember')
    .argument('<fact...>')
    .description(METHODS['facts.add'].doc)
    .addOption(new Option('--category <name>').choices(FACT_CATEGORIES))
    .option('--global', 'for every project')
    .action(
      (
        words: string[],
        flags: { category?: (typeof FACT_CATEGORIES)[number]; global?: boolean },
        command: Command,
      ) =>
        withDaemon(
          command,
          (call) => call('facts.add', { text: words.join(' '), cwd: process.cwd(), ...flags }),
          ({ id }) => print(id),
        ),
    );
  experience
    .command('facts')
    .description(METHODS['facts.list'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('facts.list', { cwd: process.cwd() }),
        (facts) => {
          if (facts.length === 0) return print('No fact yet. `reflect experience remember "…"` keeps one.');
          print(
            ...table(
              facts.map(({ category, text, told, id }) => [category, told ? 'told' : 'too long', id, text]),
            ),
          );
        },
      ),
    );
  experience
    .command('history')
    .argument('[words...]')
    .description(METHODS['history.search'].doc)
    .option('--limit <n>', 'at most this many', wholeNumber)
    .action((words: string[], flags: { limit?: number }, command: Command) =>
      withDaemon(
        command,
        (call) => call('history.search', { query: words.join(' '), ...flags }),
        (entries) => {
          if (entries.length === 0) return print('Nothing of that happened.');
          print(...table(entries.map(({ at, kind, text }) => [ago(at), kind, text.replace(/\s+/g, ' ')])));
        },
      ),
    );
  experience
    .command('log')
    .argument('<text...>')
    .description(METHODS['history.append'].doc)
    .action((words: string[], _flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('history.append', { text: words.join(' '), cwd: process.cwd() }),
        () => print('Kept.'),
      ),
    );
}

function yesOrNo(word: string): boolean {
  if (!/^(?:yes|no)$/i.test(word)) throw new InvalidArgumentError('It takes yes or no.');
  return word.toLowerCase() === 'yes';
}

function printExperiences(experiences: Output<'experience.list'>): void {
  if (experiences.length === 0) return print('No experience yet.');
  print(
    ...table(
      experiences.map(({ id, outcome, category, quality, uses, successes, task, at }) => [
        id,
        ago(at),
        outcome,
        category,
        '★'.repeat(quality),
        `${successes}/${uses}`,
        task.slice(0, 60),
      ]),
      ['experience', 'when', 'outcome', 'category', 'quality', 'helped', 'task'],
    ),
  );
}
