import type { Command } from 'commander';
import type { Call, Output } from '#contract/methods.ts';
import { dateOf } from '../../platform/time.ts';
import { deriveCommands, row } from '../derive.ts';
import { bytes, dim, plural, print, table } from '../output.ts';
import { withDaemon } from '../session.ts';

const UPKEEP_COMMANDS = [
  row({
    use: 'reindex',
    method: 'store.reindex',
    print: ({ learnings, ingested, waiting }) =>
      print(
        `Indexed ${plural(learnings, 'note')}${ingested > 0 ? `, ${ingested} of them changed on disk` : ''}.`,
        ...(waiting > 0
          ? [
              dim(
                `${plural(waiting, 'vector')} to compute in the background; \`reflect status\` shows the progress.`,
              ),
            ]
          : []),
      ),
  }),
  row({
    use: 'drain',
    method: 'capture.drain',
    flags: { noLlm: 'do not use a model, even if one is chosen' },
    input: ({ llm }) => ({ noLlm: llm === false }),
    print: ({ drained, left }) =>
      print(
        drained === 0 && left === 0 ? 'No moments were waiting.' : `Drained ${plural(drained, 'moment')}.`,
        ...(left > 0 ? [`${plural(left, 'moment')} still waiting; \`reflect writers\` says why.`] : []),
      ),
  }),
  row({
    use: 'forget',
    method: 'knowledge.forget',
    doc: 'Forget learnings that have expired; `reflect archive <id>` archives any other',
    flags: { dryRun: 'preview only' },
    print: printForgotten,
  }),
];

export function upkeepCommands(program: Command): void {
  deriveCommands(program, UPKEEP_COMMANDS);
  program
    .command('stats')
    .description('Count learnings, recalls and disk space')
    .action((_flags: object, command: Command) => withDaemon(command, countAll, printStats));
}

async function countAll(call: Call) {
  const { facets } = await call('learnings.list', { status: 'active', limit: 1 });
  const { learnings, candidates, queue, recall, databaseBytes } = await call('status', {});
  const sizes = await call('store.sizes', {});
  return { learnings, candidates, queue, facets, recall, databaseBytes, sizes };
}

const COUNTED = ['project', 'category', 'agent', 'confidence', 'tag'];
const MOST_VALUES = 6;

function printStats(counts: Awaited<ReturnType<typeof countAll>>): void {
  const { learnings, candidates, queue, facets, recall, databaseBytes, sizes } = counts;
  const others = (facets.status ?? []).filter(({ value }) => value !== 'active' && value !== 'candidate');
  const counted = (values: ReadonlyArray<{ value: string; count: number }> = []) =>
    [
      ...values.slice(0, MOST_VALUES).map(({ value, count }) => `${value} ${count}`),
      ...(values.length > MOST_VALUES ? [`and ${values.length - MOST_VALUES} more`] : []),
    ].join(', ');
  const rows = [
    ['learnings', [String(learnings), counted(others)].filter(Boolean).join('; ')],
    ...COUNTED.map((field) => [`  by ${field}`, counted(facets[field])]).filter(([, text]) => text !== ''),
    ['candidates', `${candidates}; ${plural(queue, 'moment')} in the queue`],
    [
      'recalls',
      recall.count === 0
        ? '0'
        : `${recall.count}, p50 ${recall.p50Ms.toFixed(1)} ms, p95 ${recall.p95Ms.toFixed(1)} ms`,
    ],
    [
      'database',
      [bytes(databaseBytes), ...sizes.map(({ part, bytes: size }) => `${part} ${bytes(size)}`)].join(', '),
    ],
  ];
  print(...table(rows));
}

function printForgotten({ forgotten, dryRun }: Output<'knowledge.forget'>): void {
  const summary = `${plural(forgotten.length, 'learning')} ${dryRun ? 'would be forgotten' : 'forgotten'}`;
  print(
    ...table(forgotten.map(({ id, title, forgetAfter }) => [id, dateOf(forgetAfter), title])),
    forgotten.length === 0 ? 'No learnings have expired.' : summary,
  );
}
