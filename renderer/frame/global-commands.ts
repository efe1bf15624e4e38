import { commandTable, type Command } from './command-table.ts';
import { keyOfPage, type Page, PAGES } from './route.ts';
import { pageNames } from './words.ts';

const pageCommand = (page: Page): Command => ({
  title: `Go to ${pageNames[page]}`,
  keys: [keyOfPage(page)],
  row: 'Go to a page, by its place in the sidebar',
});

export const pageCommands = commandTable(
  'go',
  'Go to',
  // Every page is there because the list of all pages is what it is made from.
  Object.fromEntries(PAGES.map((page) => [page, pageCommand(page)])) as Record<Page, Command>,
);

export const globalCommands = commandTable('app', 'Everywhere', {
  palette: { title: 'Commands and search', keys: ['Mod+k'], inPalette: false },
  undo: { title: 'Undo the last change', synonyms: 'revert back', keys: ['z'] },
  pauseCapture: { title: 'Pause capture', synonyms: 'stop recording watching' },
  resumeCapture: { title: 'Resume capture', synonyms: 'start recording watching' },
  themeSystem: { title: 'Theme: System', synonyms: 'appearance look' },
  themeLight: { title: 'Theme: Light', synonyms: 'appearance look bright' },
  themeDark: { title: 'Theme: Dark', synonyms: 'appearance look night' },
  help: { title: 'Show all keys', synonyms: 'shortcuts keyboard help', keys: ['?'], hint: 'keys' },
});

/** Forms handle these themselves, wherever they are. */
export const editingCommands = commandTable('editing', 'While editing', {
  save: { title: 'Save', keys: ['Mod+Enter', 'Mod+s'] },
  discard: { title: 'Discard changes', keys: ['Escape'] },
});
