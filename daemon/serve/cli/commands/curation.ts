import type { Command } from 'commander';
import { METHODS } from '#contract/methods.ts';
import { projectHere } from '../here.ts';
import { ago, bold, dim, plural, print, table } from '../output.ts';
import { withDaemon } from '../session.ts';

export function curationCommands(program: Command): void {
  const merges = program.command('merges').description(METHODS['merges.list'].doc)
    .action((_flags: object, command: Command) => withDaemon(command, (call) => call('merges.list', {}), (questions) => {
      if (questions.length === 0) return print('Nothing to decide.');
      for (const { id, similarity, existing, incoming } of questions) {
        print(`${bold(`#${id}`)} ${dim(similarity.toFixed(2))}`, `  has  ${existing.title}`, `  new  ${incoming.title}`);
      }
      print(dim('reflect merges answer <number> merge|keep-both|dismiss'));
    }));
  merges.command('answer').argument('<number>').argument('<answer>', 'merge, keep-both or dismiss').description(METHODS['merges.resolve'].doc)
    .action((id: string, action: string, _flags: object, command: Command) =>
      // The contract checks the word; its error names the choices.
      withDaemon(command, (call) => call('merges.resolve', { id: Number(id), action: action as 'merge' }), () => print('Done.')));

  const slots = program.command('slots').description(METHODS['slots.list'].doc)
    .action((_flags: object, command: Command) => withDaemon(command, (call) => call('slots.list', { project: projectHere().project }), (list) => {
      if (list.length === 0) return print('No slots yet. `reflect slots set guidance "…"` pins one to this project.');
      for (const { name, project, content, sizeLimit, readOnly } of list) {
        print(`${bold(name)} ${dim(`${project || 'global'} · ${content.length}/${sizeLimit}${readOnly ? ' · read-only' : ''}`)}`, `  ${content.replace(/\n/g, '\n  ')}`);
      }
    }));
  slots.command('set').argument('<name>').argument('<text>').option('--global', 'for every project').description(METHODS['slots.set'].doc)
    .action((name: string, content: string, { global }: { global?: boolean }, command: Command) =>
      withDaemon(command, (call) => call('slots.set', { project: projectHere(global).project, name, content }), () => print('Pinned.')));

  program.command('gaps').description(METHODS['gaps.list'].doc)
    .action((_flags: object, command: Command) => withDaemon(command, (call) => call('gaps.list', {}), (gaps) => {
      if (gaps.length === 0) return print('Every question found an answer so far.');
      print(...table(gaps.map(({ query, times, sessions, lastAt }) => [plural(times, 'time'), plural(sessions, 'session'), ago(lastAt), query])));
    }));
}
