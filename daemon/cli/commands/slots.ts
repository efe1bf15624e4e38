import type { Command } from 'commander';
import type { Slot } from '#contract/entities.ts';
import { METHODS } from '#contract/methods.ts';
import { projectHere } from '../here.ts';
import { ago, bold, dim, print, table } from '../output.ts';
import { withDaemon } from '../session.ts';
import { wholeNumber } from '../recall-flags.ts';

interface Where {
  global?: boolean;
}

const keyOf = (name: string, { global }: Where) => ({ project: projectHere(global).project, name });

export function slotCommands(program: Command): void {
  const list = (_flags: object, command: Command) =>
    withDaemon(
      command,
      (call) => call('slots.list', { project: projectHere().project }),
      (slots) => slots.forEach(printSlot),
    );
  const slots = program.command('slots').description(METHODS['slots.list'].doc).action(list);
  slots.command('list').description(METHODS['slots.list'].doc).action(list);
  named(slots, 'show', METHODS['slots.get'].doc).action((name: string, where: Where, command: Command) =>
    withDaemon(command, (call) => call('slots.get', keyOf(name, where)), printSlot),
  );
  named(slots, 'create', METHODS['slots.create'].doc)
    .argument('[text]', 'what it says at first')
    .option('--limit <n>', 'most characters it may hold', wholeNumber)
    .option('--description <text>', 'what it is for')
    .option('--read-only', 'locked from the start')
    .action(
      (
        name: string,
        content: string | undefined,
        {
          limit,
          description,
          readOnly,
          ...where
        }: Where & { limit?: number; description?: string; readOnly?: boolean },
        command: Command,
      ) =>
        withDaemon(
          command,
          (call) =>
            call('slots.create', { ...keyOf(name, where), content, sizeLimit: limit, description, readOnly }),
          printSlot,
        ),
    );
  named(slots, 'append', METHODS['slots.append'].doc)
    .argument('<text>')
    .action((name: string, text: string, where: Where, command: Command) =>
      withDaemon(command, (call) => call('slots.append', { ...keyOf(name, where), text }), printSlot),
    );
  named(slots, 'replace', METHODS['slots.replace'].doc)
    .argument('<text>')
    .action((name: string, content: string, where: Where, command: Command) =>
      withDaemon(command, (call) => call('slots.replace', { ...keyOf(name, where), content }), printSlot),
    );
  named(slots, 'remove', METHODS['slots.remove'].doc)
    .option('--for-good', 'not only its text; for slots you made')
    .action((name: string, { forGood, ...where }: Where & { forGood?: boolean }, command: Command) =>
      withDaemon(
        command,
        (call) => call('slots.remove', { ...keyOf(name, where), forGood }),
        () => print(forGood ? 'Removed.' : 'Emptied.'),
      ),
    );
  for (const [word, readOnly, doc] of [
    ['lock', true, 'Let nobody edit a slot'],
    ['unlock', false, 'Let a slot be edited again'],
  ] as const) {
    named(slots, word, doc).action((name: string, where: Where, command: Command) =>
      withDaemon(command, (call) => call('slots.configure', { ...keyOf(name, where), readOnly }), printSlot),
    );
  }
  slots
    .command('order')
    .argument('<names...>')
    .description(METHODS['slots.order'].doc)
    .action((names: string[], _flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('slots.order', { project: projectHere().project, names }),
        (ordered) => print(...ordered.map(({ name }) => name)),
      ),
    );
  named(slots, 'history', METHODS['slots.history'].doc).action(
    (name: string, where: Where, command: Command) =>
      withDaemon(
        command,
        (call) => call('slots.history', keyOf(name, where)),
        (changes) => {
          if (changes.length === 0) return print('Nobody has edited it yet.');
          print(
            ...table(
              changes.map(({ id, at, actor, kind, undone, after }) => [
                String(id),
                ago(at),
                actor,
                `${kind}${undone ? ' (undone)' : ''}`,
                (after?.content ?? '').replace(/\s+/g, ' ').slice(0, 60),
              ]),
              ['change', 'when', 'who', 'what', 'text'],
            ),
          );
        },
      ),
  );
  slots
    .command('undo')
    .argument('<change>', 'its number in the history', wholeNumber)
    .description(METHODS['slots.undo'].doc)
    .action((changeId: number, _flags: object, command: Command) =>
      withDaemon(
        command,
        (call) => call('slots.undo', { changeId }),
        () => print('Undone.'),
      ),
    );
}

function named(slots: Command, word: string, doc: string): Command {
  return slots
    .command(word)
    .argument('<name>')
    .option('--global', 'the one for every project')
    .description(doc);
}

function printSlot({ name, project, content, sizeLimit, readOnly, description }: Slot): void {
  print(
    `${bold(name)} ${dim(`${project || 'global'} · ${content.length}/${sizeLimit}${readOnly ? ' · read-only' : ''}`)}`,
    content === '' ? dim(`  ${description || 'empty'}`) : `  ${content.replace(/\n/g, '\n  ')}`,
  );
}
