import type { Command } from 'commander';
import {
  type FoundWriter,
  type WriterDay,
  WriterId,
  type WriterRun,
  type WritersStatus,
} from '#contract/writers.ts';
import { deriveCommands, row } from '../derive.ts';
import { ago, dim, print, table } from '../output.ts';

const WRITER_COMMANDS = [
  row({ use: 'writers', method: 'writers.status', print: printWriters }),
  row({ use: 'writers list', method: 'writers.list', print: printFound }),
  row({
    use: 'writers use <id>',
    method: 'writers.use',
    args: { id: WriterId.options.join(', ') },
    flags: { model: {} },
    print: printFound,
  }),
];

export const writerCommands = (program: Command): void => deriveCommands(program, WRITER_COMMANDS);

function printFound(writers: FoundWriter[]): void {
  const rows = writers.map(({ id, name, available, version, models, chosen }) => [
    chosen ? '●' : '',
    id,
    name,
    available ? version || 'available' : 'not available',
    models.slice(0, 3).join(', '),
  ]);
  print(...table(rows, ['', 'writer', 'name', 'version', 'models']));
}

function printWriters({ writer, model, held, problem, quota, days, recent }: WritersStatus): void {
  print(
    `Notes are written by ${writer}${model ? ` with ${model}` : ''}${writer === 'heuristic' ? ', without a model' : ''}.`,
  );
  if (problem) print(`Not available: ${problem}.`);
  if (held) print(`Paused until ${new Date(held.until).toLocaleString()}: ${held.why}.`);
  if (quota.length > 0)
    print(
      `Used: ${quota.map(({ window, utilization }) => `${window.replaceAll('_', ' ')} ${Math.round(utilization * 100)}%`).join(', ')}.`,
    );
  if (days.length === 0) {
    print(
      dim(
        writer === 'heuristic'
          ? '`reflect writers list` shows the choices, `reflect writers use <writer>` chooses one.'
          : 'No model has been used yet.',
      ),
    );
    return;
  }
  print('', ...table(days.map(dayRow), ['day', 'asked', 'usable', 'tokens in', 'tokens out', 'cost']));
  print('', ...table(recent.slice(0, 10).map(runRow), ['when', 'by', 'model', 'outcome', 'took', 'said']));
}

function dayRow({ day, runs, notes, tokensIn, tokensOut, costUsd }: WriterDay): string[] {
  return [
    day,
    ...[runs, notes, tokensIn, tokensOut].map(String),
    costUsd === null ? '' : `$${costUsd.toFixed(4)}`,
  ];
}

function runRow({ at, writer, model, outcome, ms, detail }: WriterRun): string[] {
  return [ago(at), writer, model, outcome, `${(ms / 1_000).toFixed(1)} s`, detail.slice(0, 80)];
}
