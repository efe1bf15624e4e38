import { commandTable } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';

export const welcomeCommands = commandTable('welcome', pageNames.welcome, {
  next: { title: 'Next step', keys: ['ArrowRight'], hint: 'steps' },
  previous: { title: 'Previous step', keys: ['ArrowLeft'], hint: 'steps' },
  skip: { title: 'Skip the setup', synonyms: 'close leave' },
});
