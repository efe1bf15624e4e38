import { commandTable, LIST_COMMANDS, TAB_COMMANDS } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';

export const utilityCommands = commandTable('utility', pageNames.utility, {
  ...LIST_COMMANDS,
  open: { title: 'Open the learning', keys: ['Enter'], hint: 'open' },
  ...TAB_COMMANDS,
  helped: { title: 'The experience helped', keys: ['y'], hint: 'helped or not' },
  notHelped: { title: 'The experience did not help', keys: ['n'], hint: 'helped or not' },
  deprecate: { title: 'Mark the experience as outdated', synonyms: 'deprecate', keys: ['d'] },
});
