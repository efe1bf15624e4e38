import { type Command, commandTable, SEARCH_COMMAND } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';
import { settingsWords } from './words.ts';

export const topicId = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

/** Whatever the search of Settings finds, the palette finds too, from any page. */
const topics = Object.fromEntries(
  settingsWords.searchedTopics.map(({ title, words }): [string, Command] => [
    topicId(title),
    { title, synonyms: words, elsewhere: true },
  ]),
);

export const settingsCommands = commandTable('settings', pageNames.settings, {
  ...SEARCH_COMMAND,
  ...topics,
});
