import { commandTable, LIST_COMMANDS, SEARCH_COMMAND } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';

const step = { inPalette: false } as const;

export const learningsCommands = commandTable('learnings', pageNames.learnings, {
  ...LIST_COMMANDS,
  pageDown: { title: 'Ten rows down', keys: ['PageDown'], ...step },
  pageUp: { title: 'Ten rows up', keys: ['PageUp'], ...step },
  first: { title: 'First row', keys: ['Home'], ...step },
  last: { title: 'Last row', keys: ['End'], ...step },
  open: { title: 'Read the learning', keys: ['Enter'], ...step },
  create: {
    title: 'New learning',
    synonyms: 'add write create note',
    keys: ['n'],
    hint: 'new',
    elsewhere: true,
  },
  edit: { title: 'Edit', synonyms: 'change write', keys: ['e'], hint: 'edit' },
  archive: { title: 'Archive', synonyms: 'remove hide delete forget', keys: ['a'], hint: 'archive' },
  restore: { title: 'Restore', synonyms: 'unarchive', keys: ['r'] },
  select: { title: 'Select the row', synonyms: 'mark', keys: ['x'], hint: 'select' },
  selectAll: { title: 'Select all loaded rows', synonyms: 'mark', keys: ['X'] },
  extendDown: { title: 'Extend the selection down', keys: ['J'], row: 'Extend the selection', ...step },
  extendUp: { title: 'Extend the selection up', keys: ['K'], row: 'Extend the selection', ...step },
  tag: { title: 'Tag the selected rows', synonyms: 'label', keys: ['t'], hint: 'tag' },
  move: { title: 'Move the selected rows to a project', keys: ['m'], hint: 'move to' },
  clearSelection: { title: 'Clear the selection', synonyms: 'unmark', keys: ['Escape'] },
  pin: { title: 'Pin to every session', synonyms: 'slot always', keys: ['p'], hint: 'pin' },
  wrong: { title: 'Wrong capture', synonyms: 'dismiss mistake not a lesson', keys: ['w'] },
  copyMarkdown: { title: 'Copy as Markdown', synonyms: 'share clipboard' },
  copyRule: { title: 'Copy the rule', synonyms: 'clipboard', keys: ['c'] },
  promote: { title: 'Promote to skill', synonyms: 'make', keys: ['s'] },
  ...SEARCH_COMMAND,
  clearFilter: { title: 'Clear filters', synonyms: 'reset show all' },
  saveFilter: { title: 'Save or remove this filter', synonyms: 'saved view bookmark search' },
});
