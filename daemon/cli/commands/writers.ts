import type { Command } from 'commander';
import { METHODS } from '#contract/methods.ts';
import type { WriterDay, WriterRun, WritersStatus } from '#contract/writers.ts';
import { ago, dim, print, table } from '../output.ts';
import { withDaemon } from '../session.ts';

export function writerCommands(program: Command): void {
  program
    .command('writers')
    .description(METHODS['writers.status'].doc)
    .action((_flags: object, command: Command) =>
      withDaemon(command, (call) => call('writers.status', {}), printWriters),
    );
}

function printWriters({ writer, model, held, problem, quota, days, recent }: WritersStatus): void {
  print(
    `Notes are written by ${writer}${model ? ` with ${model}` : ''}${writer === 'heuristic' ? ', which asks no model' : ''}.`,
  );
  if (problem) print(`It is not available here: ${problem}.`);
  if (held) print(`It is paused until ${new Date(held.until).toLocaleString()}: ${held.why}.`);
  if (quota.length > 0)
    print(
      `Used: ${quota.map(({ window, utilization }) => `${window.replaceAll('_', ' ')} ${Math.round(utilization * 100)} %`).join(', ')}.`,
    );
  if (days.length === 0) {
    print(
      dim(
        writer === 'heuristic'
          ? '`reflect config set REFLECT_WRITER command` lets Claude Code write them.'
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
