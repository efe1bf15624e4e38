import { commandTable } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';

export const teamCommands = commandTable('team', pageNames.team, {
  export: { title: 'Export', synonyms: 'backup save', keys: ['e'], hint: 'export', elsewhere: true },
  import: { title: 'Import', synonyms: 'restore load', keys: ['i'], hint: 'import', elsewhere: true },
  join: { title: 'Join or create a space', synonyms: 'colleagues share postgresql server', elsewhere: true },
  merge: { title: 'Merge the previewed file', keys: ['m'], hint: 'merge' },
});
