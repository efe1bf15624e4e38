import type { Command } from 'commander';
import type { Output } from '#contract/methods.ts';
import { deriveCommands, row } from '../derive.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';

const EXPERIENCE_COMMANDS = [
  row({
    use: 'experience query <task...>',
    method: 'experience.query',
    flags: { limit: 'at most this many' },
    print: ({ text, notices }) => print(...notices.map(dim), text || 'No experience with such a task yet.'),
  }),
  row({
    use: 'experience list',
    method: 'experience.list',
    flags: { category: { value: 'name' }, deprecated: 'only what is no longer true' },
    print: printExperiences,
  }),
  row({
    use: 'experience add <task...>',
    method: 'experience.add',
    flags: {
      outcome: { doc: 'how it ended', value: 'how', required: true },
      lessons: { doc: 'what it taught', required: true },
      category: { value: 'name' },
      quality: { doc: 'how good the lesson is', value: '1…5' },
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
    flags: { dryRun: 'only say what would go' },
    print: ({ forgotten }, { dryRun }) => {
      const count = plural(forgotten.length, 'experience');
      print(
        forgotten.length === 0 ? 'Nothing has to go.' : `${dryRun ? 'Would forget' : 'Forgot'} ${count}:`,
      );
      for (const { id, task, why } of forgotten) print(`  ${task} ${dim(`${id} · ${why}`)}`);
    },
  }),
  row({
    use: 'experience merge',
    method: 'experience.merge',
    flags: { dryRun: 'only say what would be proposed' },
    print: ({ principles }) => {
      if (principles.length === 0) print('No category has three experiences of its own yet.');
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
    print: (facts) => {
      if (facts.length === 0) return print('No fact yet. `reflect experience remember "…"` keeps one.');
      print(
        ...table(
          facts.map(({ category, text, told, id }) => [category, told ? 'told' : 'too long', id, text]),
        ),
      );
    },
  }),
  row({
    use: 'experience history [query...]',
    method: 'history.search',
    flags: { limit: 'at most this many' },
    print: (entries) => {
      if (entries.length === 0) return print('Nothing of that happened.');
      print(...table(entries.map(({ at, kind, text }) => [ago(at), kind, text.replace(/\s+/g, ' ')])));
    },
  }),
  row({ use: 'experience log <text...>', method: 'history.append', print: () => print('Saved.') }),
];

export const experienceCommands = (program: Command): void =>
  deriveCommands(program, EXPERIENCE_COMMANDS, {
    experience: 'What finished tasks taught, and how well it has held',
  });

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
