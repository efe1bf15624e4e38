import { commandTable, LIST_COMMANDS, TAB_COMMANDS } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';

export const sessionsCommands = commandTable('sessions', pageNames.sessions, {
  ...LIST_COMMANDS,
  ...TAB_COMMANDS,
  open: { title: 'Open the learning', keys: ['Enter'], hint: 'open' },
  dismiss: { title: 'Dismiss the moment', synonyms: 'wrong remove', keys: ['d'], hint: 'dismiss' },
  keep: { title: 'Keep the candidate', synonyms: 'accept yes', keys: ['y'], hint: 'keep' },
  pause: { title: 'Pause or resume capture', keys: ['p'], hint: 'pause', inPalette: false },
});
