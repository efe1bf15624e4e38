import { commandTable, LIST_COMMANDS } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';

const order = { row: 'Move the slot down or up', hint: 'order' } as const;

export const slotsCommands = commandTable('slots', pageNames.slots, {
  ...LIST_COMMANDS,
  edit: { title: 'Edit', synonyms: 'change write', keys: ['e', 'Enter'], hint: 'edit' },
  create: { title: 'New slot', synonyms: 'create add', keys: ['n'], hint: 'new', elsewhere: true },
  lock: { title: 'Lock or unlock', synonyms: 'read-only', keys: ['l'], hint: 'lock' },
  moveDown: { title: 'Move the slot down', keys: ['J'], ...order },
  moveUp: { title: 'Move the slot up', keys: ['K'], ...order },
  showEmpty: { title: 'Show or hide empty slots', synonyms: 'all' },
});
