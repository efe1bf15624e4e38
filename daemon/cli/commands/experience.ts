import type { Command } from 'commander';
import type { Output } from '#contract/methods.ts';
import { deriveCommands, row } from '../derive.ts';
import { ago, bold, dim, plural, print, tableOf } from '../output.ts';

const printExperiences = tableOf<Output<'experience.list'>[number]>(
  ({ id, outcome, category, quality, uses, successes, task, at }) => [
    id,
    ago(at),
    outcome,
    category,
    '★'.repeat(quality),
    `${successes}/${uses}`,
    task.slice(0, 60),
  ],
  ['experience', 'when', 'outcome', 'category', 'quality', 'helped', 'task'],
);

const EXPERIENCE_COMMANDS = [
  row({
    use: 'experience query <task...>',
    method: 'experience.query',
    flags: { limit: 'maximum number' },
    print: ({ text, notices }) =>
      print(...notices.map(dim), text || 'No experiences with similar tasks yet.'),
  }),
  row({
    use: 'experience list',
    method: 'experience.list',
    flags: { category: { value: 'name' }, deprecated: 'only outdated ones' },
    none: 'No experiences yet.',
    print: printExperiences,
  }),
  row({
    use: 'experience add <task...>',
    method: 'experience.add',
    flags: {
      outcome: { doc: 'its outcome', value: 'outcome', required: true },
      lessons: { doc: 'the lessons', required: true },
      category: { value: 'name' },
      quality: { doc: 'quality of the lesson', value: '1…5' },
      keywords: 'separated by commas',
    },
    print: ({ experience: { id } }) => print(id),
  }),
  row({
    use: 'experience feedback <id> <helped>',
    method: 'experience.feedback',
    args: { helped: 'yes or no' },
    flags: { reason: '' },
    print: (known) => printExperiences([known]),
  }),
  row({
    use: 'experience deprecate <id>',
    method: 'experience.deprecate',
    flags: { reason: '' },
    print: () => print('Deprecated.', dim('`reflect undo` undoes it.')),
  }),
  row({
    use: 'experience cleanup',
    method: 'experience.cleanup',
    flags: { dryRun: 'preview only' },
    print: ({ forgotten }, { dryRun }) => {
      const count = plural(forgotten.length, 'experience');
      print(
        forgotten.length === 0 ? 'Nothing to clean up.' : `${dryRun ? 'Would forget' : 'Forgot'} ${count}:`,
      );
      for (const { id, task, why } of forgotten) print(`  ${task} ${dim(`${id} · ${why}`)}`);
    },
  }),
  row({
    use: 'experience merge',
    method: 'experience.merge',
    flags: { dryRun: 'preview only' },
    print: ({ principles }) => {
      if (principles.length === 0) print('No category has three experiences yet.');
      for (const { id, title, sources } of principles) {
        const from = `from ${plural(sources.length, 'experience')}`;
        print(bold(title), dim(`  ${[id, from].filter(Boolean).join(' · ')}`));
      }
    },
  }),
  row({
    use: 'experience remember <fact...>',
    method: 'facts.add',
    args: { fact: { field: 'text' } },
    flags: { category: { value: 'name' }, global: 'for every project' },
    print: ({ id }) => print(id),
  }),
  row({
    use: 'experience facts',
    method: 'facts.list',
    none: 'No facts yet. Add one with `reflect experience remember "…"`.',
    print: tableOf(({ category, text, injected, id }) => [
      category,
      injected ? 'injected' : 'too long',
      id,
      text,
    ]),
  }),
  row({
    use: 'experience history [query...]',
    method: 'history.search',
    flags: { limit: 'maximum number' },
    none: 'No entries found.',
    print: tableOf(({ at, kind, text }) => [ago(at), kind, text.replace(/\s+/g, ' ')]),
  }),
  row({ use: 'experience log <text...>', method: 'history.append', print: () => print('Saved.') }),
];

export const experienceCommands = (program: Command): void =>
  deriveCommands(program, EXPERIENCE_COMMANDS, {
    experience: 'Keep lessons of finished tasks, and how often they helped',
  });
