import { commandTable, type Command } from './command-table.ts';
import { type Page, PAGES } from './route.ts';
import { pageNames } from './words.ts';

/** Two keys one after the other, because digits and most letters belong to the open page. */
const PAGE_KEYS: Readonly<Record<Page, { keys: readonly string[]; synonyms?: string }>> = {
  inbox: { keys: ['g i'], synonyms: 'questions merges candidates' },
  learnings: { keys: ['g l'], synonyms: 'notes lessons' },
  sessions: { keys: ['g s'], synonyms: 'transcripts agents capture' },
  slots: { keys: ['g p'], synonyms: 'slots' },
  team: { keys: ['g t'], synonyms: 'export import backup share' },
  settings: { keys: ['g ,', 'Mod+,'], synonyms: 'preferences options' },
  lab: { keys: ['g r'], synonyms: 'advanced explain ranking' },
  graph: { keys: ['g g'], synonyms: 'advanced entities relations' },
  utility: { keys: ['g u'], synonyms: 'advanced reviews experiences loops' },
  welcome: { keys: [], synonyms: 'onboarding first start setup welcome agree tour' },
};

const pageCommand = (page: Page): Command => ({
  title: `Go to ${pageNames[page]}`,
  ...PAGE_KEYS[page],
});

export const pageCommands = commandTable(
  'go',
  'Go to',
  // Every page is there because the list of all pages is what it is made from.
  Object.fromEntries(PAGES.map((page) => [page, pageCommand(page)])) as Record<Page, Command>,
);

export const globalCommands = commandTable('app', 'Everywhere', {
  palette: { title: 'Commands and search', keys: ['Mod+k'], inPalette: false },
  undo: { title: 'Undo', synonyms: 'revert back', keys: ['z'] },
  redo: { title: 'Redo', synonyms: 'again', keys: ['Z'] },
  pauseCapture: { title: 'Pause capture', synonyms: 'stop recording watching' },
  resumeCapture: { title: 'Resume capture', synonyms: 'start recording watching' },
  themeSystem: { title: 'Theme: System', synonyms: 'appearance look' },
  themeLight: { title: 'Theme: Light', synonyms: 'appearance look bright' },
  themeDark: { title: 'Theme: Dark', synonyms: 'appearance look night' },
  zoomIn: { title: 'Zoom in', synonyms: 'larger bigger text size', keys: ['Mod++', 'Mod+='] },
  zoomOut: { title: 'Zoom out', synonyms: 'smaller text size', keys: ['Mod+-'] },
  zoomReset: { title: 'Actual size', synonyms: 'zoom reset', keys: ['Mod+0'] },
  showAdvanced: { title: 'Show advanced pages', synonyms: '?advanced lab graph utility ports' },
  hideAdvanced: { title: 'Hide advanced pages', synonyms: '?advanced lab graph utility ports' },
  help: { title: 'Show all keys', synonyms: 'shortcuts keyboard help', keys: ['?'], hint: 'keys' },
});

/** Forms handle these themselves, wherever they are. */
export const editingCommands = commandTable('editing', 'While editing', {
  save: { title: 'Save', keys: ['Mod+Enter', 'Mod+s'] },
  discard: { title: 'Discard changes', keys: ['Escape'] },
});
