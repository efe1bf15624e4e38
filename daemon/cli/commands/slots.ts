import type { Command } from 'commander';
import type { Slot } from '#contract/slots.ts';
import { deriveCommands, type Given, row } from '../derive.ts';
import { projectHere } from '../here.ts';
import { ago, bold, dim, print, table } from '../output.ts';

const GLOBAL = { global: 'the one for every project' };
const here = ({ global }: Given) => ({ project: projectHere(global === true).project });
const list = {
  method: 'slots.list',
  input: here,
  print: (slots: Slot[]) => slots.forEach(printSlot),
} as const;

const SLOT_COMMANDS = [
  row({ use: 'slots', ...list }),
  row({ use: 'slots list', ...list }),
  row({ use: 'slots show <name>', method: 'slots.get', flags: GLOBAL, input: here, print: printSlot }),
  row({
    use: 'slots create <name> [content]',
    method: 'slots.create',
    args: { content: 'what it says at first' },
    flags: {
      ...GLOBAL,
      limit: { field: 'sizeLimit', doc: 'most characters it may hold' },
      description: 'what it is for',
      readOnly: 'locked from the start',
    },
    input: here,
    print: printSlot,
  }),
  row({
    use: 'slots append <name> <text>',
    method: 'slots.append',
    flags: GLOBAL,
    input: here,
    print: printSlot,
  }),
  row({
    use: 'slots replace <name> <content>',
    method: 'slots.replace',
    flags: GLOBAL,
    input: here,
    print: printSlot,
  }),
  row({
    use: 'slots remove <name>',
    method: 'slots.remove',
    flags: { ...GLOBAL, forGood: 'not only its text; for slots you made' },
    input: here,
    print: (_, { forGood }) => print(forGood ? 'Removed.' : 'Emptied.'),
  }),
  row({
    use: 'slots lock <name>',
    method: 'slots.configure',
    doc: 'Let nobody edit a slot',
    flags: GLOBAL,
    input: (given) => ({ ...here(given), readOnly: true }),
    print: printSlot,
  }),
  row({
    use: 'slots unlock <name>',
    method: 'slots.configure',
    doc: 'Let a slot be edited again',
    flags: GLOBAL,
    input: (given) => ({ ...here(given), readOnly: false }),
    print: printSlot,
  }),
  row({
    use: 'slots order <names...>',
    method: 'slots.order',
    input: here,
    print: (slots) => print(...slots.map(({ name }) => name)),
  }),
  row({
    use: 'slots history <name>',
    method: 'slots.history',
    flags: GLOBAL,
    input: here,
    print: (changes) => {
      if (changes.length === 0) return print('Nobody has edited it yet.');
      const rows = changes.map(({ id, at, actor, kind, undone, after }) => [
        String(id),
        ago(at),
        actor,
        `${kind}${undone ? ' (undone)' : ''}`,
        (after?.content ?? '').replace(/\s+/g, ' ').slice(0, 60),
      ]);
      print(...table(rows, ['change', 'when', 'who', 'what', 'text']));
    },
  }),
  row({
    use: 'slots undo <change>',
    method: 'slots.undo',
    args: { change: { field: 'changeId', doc: 'its number in the history' } },
    print: () => print('Undone.'),
  }),
];

export const slotCommands = (program: Command): void => deriveCommands(program, SLOT_COMMANDS);

function printSlot({ name, project, content, sizeLimit, readOnly, description }: Slot): void {
  print(
    `${bold(name)} ${dim(`${project || 'global'} · ${content.length}/${sizeLimit}${readOnly ? ' · read-only' : ''}`)}`,
    content === '' ? dim(`  ${description || 'empty'}`) : `  ${content.replace(/\n/g, '\n  ')}`,
  );
}
