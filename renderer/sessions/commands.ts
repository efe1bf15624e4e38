import { commandTable, LIST_COMMANDS, SEARCH_COMMAND } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';

const step = { inPalette: false } as const;

export const sessionsCommands = commandTable('sessions', pageNames.sessions, {
  ...LIST_COMMANDS,
  first: { title: 'First session', keys: ['Home'], ...step },
  last: { title: 'Last session', keys: ['End'], ...step },
  nextMoment: { title: 'Next moment', keys: ['ArrowRight'], hint: 'moments', ...step },
  previousMoment: { title: 'Previous moment', keys: ['ArrowLeft'], hint: 'moments', ...step },
  open: { title: 'Open the learning', synonyms: 'note', keys: ['Enter'], hint: 'open' },
  keep: { title: 'Keep the candidate', synonyms: 'accept yes', keys: ['y'], hint: 'keep' },
  dismiss: { title: 'Dismiss the moment', synonyms: 'wrong drop remove', keys: ['d'], hint: 'dismiss' },
  pause: { title: 'Pause or resume capture', keys: ['p'], hint: 'pause', ...step },
  ...SEARCH_COMMAND,
  clearFilter: { title: 'Clear filters', synonyms: 'reset show all' },
});
