import { commandTable, SEARCH_COMMAND } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';

export const settingsCommands = commandTable('settings', pageNames.settings, SEARCH_COMMAND);
