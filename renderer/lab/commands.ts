import { commandTable, LIST_COMMANDS, SEARCH_COMMAND } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';

export const labCommands = commandTable('lab', pageNames.lab, {
  ...SEARCH_COMMAND,
  ...LIST_COMMANDS,
  toggle: { title: 'Switch the step on or off in lane B', keys: ['t'], hint: 'switch in B' },
  endComparing: { title: 'End comparing', keys: ['x'] },
  copyLink: { title: 'Copy a link to this question', synonyms: 'share', keys: ['s'], hint: 'copy link' },
  copyJson: { title: 'Copy everything as JSON', synonyms: 'export', keys: ['c'], hint: 'copy JSON' },
});
