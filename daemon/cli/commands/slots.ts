import type { Command } from 'commander';
import type { Slot } from '#contract/slots.ts';
import { deriveCommands, type Given, row } from '../derive.ts';
import { projectHere } from '../here.ts';
import { ago, bold, dim, print, tableOf } from '../output.ts';
import { changeNumber } from '../values.ts';

const GLOBAL = { global: 'use the global slot' };
const here = ({ global }: Given) => ({ project: projectHere(global === true).project });
const list = {
  method: 'slots.list',
  input: here,
  print: (slots: Slot[]) => slots.forEach(printSlot),
} as const;

const one = { flags: GLOBAL, input: here, print: printSlot } as const;

const SLOT_COMMANDS = [
  row({ use: 'slots', ...list }),
  row({ use: 'slots list', ...list }),
  row({ use: 'slots show <name>', method: 'slots.get', ...one }),
  row({
    use: 'slots create <name> [content]',
    method: 'slots.create',
    args: { content: 'initial text' },
    flags: {
      ...GLOBAL,
      limit: { field: 'sizeLimit', doc: 'maximum number of characters' },
      description: 'its purpose',
      readOnly: 'create it locked',
    },
    input: here,
    print: printSlot,
  }),
  row({ use: 'slots append <name> <text>', method: 'slots.append', ...one }),
  row({ use: 'slots replace <name> <content>', method: 'slots.replace', ...one }),
  row({
    use: 'slots remove <name>',
    method: 'slots.remove',
    flags: { ...GLOBAL, forGood: 'also delete the slot; only for slots you created' },
    input: here,
    print: (_, { forGood }) => print(forGood ? 'Removed.' : 'Emptied.'),
  }),
  ...(
    [
      ['lock', true, 'Lock a slot against edits'],
      ['unlock', false, 'Unlock a slot'],
    ] as const
  ).map(([verb, readOnly, doc]) =>
    row({
      ...one,
      use: `slots ${verb} <name>`,
      method: 'slots.configure',
      doc,
      input: (given) => ({ ...here(given), readOnly }),
    }),
  ),
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
    none: 'No edits yet.',
    print: tableOf(
      ({ id, at, actor, kind, undone, after }) => [
        String(id),
        ago(at),
        actor,
        `${kind}${undone ? ' (undone)' : ''}`,
        (after?.content ?? '').replace(/\s+/g, ' ').slice(0, 60),
      ],
      ['change', 'when', 'who', 'what', 'text'],
    ),
  }),
  row({
    use: 'slots proposals',
    method: 'slots.proposals',
    none: 'No edits proposed.',
    print: (proposals) => {
      for (const { id, at, project, name, kind, agent, text, reasons } of proposals)
        print(
          `${bold(`${id} ${kind} ${name}`)} ${dim([project || 'global', agent, ago(at)].join(' · '))}`,
          ...reasons.map((reason) => dim(`  It ${reason}.`)),
          `  ${text.replace(/\n/g, '\n  ')}`,
        );
    },
  }),
  ...(['accept', 'reject'] as const).map((decision) =>
    row({
      use: `slots ${decision} <proposal>`,
      method: 'slots.decide',
      doc: `${decision === 'accept' ? 'Accept' : 'Reject'} an edit proposed by an agent`,
      args: { proposal: 'number from `reflect slots proposals`' },
      input: ({ proposal }) => ({ id: changeNumber(String(proposal)), decision }),
      print: ({ state }) => print(state === 'accepted' ? 'Accepted.' : 'Rejected.'),
    }),
  ),
  row({
    use: 'slots undo <change>',
    method: 'slots.undo',
    args: { change: 'number from `reflect slots history`' },
    input: ({ change }) => ({ changeId: changeNumber(String(change)) }),
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
