import { commandTable } from '../frame/command-table.ts';
import { privacyWords } from './words.ts';

/** Bound by the menu of whatever is open. */
export const privacyCommands = commandTable('privacy', privacyWords.commands, {
  delete: { title: 'Delete permanently', synonyms: 'erase remove forget privacy', keys: ['Delete'] },
  ignoreProject: { title: 'Ignore this project', synonyms: 'exclude capture privacy' },
  deleteProject: { title: 'Delete this project permanently', synonyms: 'erase remove privacy' },
});
