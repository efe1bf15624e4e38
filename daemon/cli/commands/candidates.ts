import type { Command } from 'commander';
import { worthKeeping } from '#contract/candidates.ts';
import { METHODS, type Output } from '#contract/methods.ts';
import { deriveCommands, row } from '../derive.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';
import { withDaemon } from '../session.ts';

const CANDIDATE_COMMANDS = [
  ...['candidates', 'candidates list'].map((use) =>
    row({
      use,
      method: 'candidates.list',
      flags: {
        project: 'only of this project, by its id',
        session: 'only of this session',
        limit: 'how many',
        after: 'continue after this cursor',
      },
      print: printCandidates,
    }),
  ),
  row({
    use: 'candidates keep <ids...>',
    method: 'candidates.keep',
    flags: {
      title: { doc: 'new title; for a single candidate', value: 'text' },
      rule: { doc: 'new rule', value: 'text' },
      fix: { doc: 'new fix', value: 'text' },
      reason: 'why, for its history',
    },
    input: ({ title, rule, fix }) => patchOf({ title, rule, fix }),
    print: (decided) => printDecided('Kept', decided),
  }),
  row({
    use: 'candidates drop <ids...>',
    method: 'candidates.drop',
    flags: { reason: 'why, for its history' },
    print: (decided) => printDecided('Dropped', decided),
  }),
];

export function candidateCommands(program: Command): void {
  deriveCommands(program, CANDIDATE_COMMANDS);
  program
    .command('judge')
    .description(METHODS['judge.show'].doc)
    .option('--reset', METHODS['judge.reset'].doc.toLowerCase())
    .action(({ reset }: { reset?: true }, command: Command) =>
      withDaemon(
        command,
        async (call) => {
          if (reset) await call('judge.reset', {});
          return call('judge.show', {});
        },
        printJudge,
      ),
    );
}

function printJudge({ kept, dropped, bias, cues }: Output<'judge.show'>): void {
  if (kept + dropped === 0) {
    print('The judge uses its defaults: you have not kept or dropped a candidate yet.');
    return;
  }
  print(
    `Learned from ${kept} kept and ${dropped} dropped notes.`,
    ...table(
      [
        ['', signed(bias), 'any note'],
        ...cues.map(({ shipped, shift, why }) => [shipped.toFixed(2), signed(shift), `a note that ${why}`]),
      ],
      ['shipped', 'shift', 'what the judge considers'],
    ),
    dim('`reflect judge --reset` restores its defaults.'),
  );
}

const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(2)}`;

function patchOf(fields: Record<string, unknown>): { patch?: Record<string, string> } {
  const patch = Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return Object.keys(patch).length > 0 ? { patch } : {};
}

function printCandidates({ items, total, cursor }: Output<'candidates.list'>): void {
  if (items.length === 0) {
    print('No candidates.');
    return;
  }
  for (const candidate of items) {
    const { id, title, project, createdAt, waits } = candidate;
    print(
      bold(title),
      dim(`  ${[id, project || 'global', ago(createdAt), worthKeeping(candidate)].join(' · ')}`),
      ...(waits.length > 0 ? [dim(`  waits: it ${waits.join(', ')}`)] : []),
    );
  }
  print(
    '',
    dim(`${plural(total, 'candidate')}. Decide with \`reflect candidates keep <id…>\` or \`drop <id…>\`.`),
  );
  if (cursor) print(dim(`More: \`reflect candidates --after ${cursor}\``));
}

function printDecided(done: string, { changed, changeId }: Output<'candidates.keep'>): void {
  print(`${done} ${plural(changed, 'candidate')}.`, dim(`\`reflect undo ${String(changeId)}\` undoes it.`));
}
