import { commandTable, SEARCH_COMMAND } from '../frame/command-table.ts';
import { pageNames } from '../frame/words.ts';

const walk = {
  row: 'Go to the nearest name in that direction',
  hint: 'neighbours',
  inPalette: false,
} as const;
const zoom = { row: 'Zoom in or out', hint: 'zoom' } as const;
const row = { row: 'Next or previous name in the table', inPalette: false } as const;

export const graphCommands = commandTable('graph', pageNames.graph, {
  left: { title: 'Left', keys: ['ArrowLeft'], ...walk },
  right: { title: 'Right', keys: ['ArrowRight'], ...walk },
  up: { title: 'Up', keys: ['ArrowUp'], ...walk },
  down: { title: 'Down', keys: ['ArrowDown'], ...walk },
  next: { title: 'Next name', keys: ['j'], ...row },
  previous: { title: 'Previous name', keys: ['k'], ...row },
  open: { title: 'Open the name', keys: ['Enter'], hint: 'open', inPalette: false },
  close: { title: 'Close the name', keys: ['Escape'], inPalette: false },
  ...SEARCH_COMMAND,
  table: { title: 'Switch between table and graph', synonyms: 'list view', keys: ['t'], hint: 'table' },
  fit: { title: 'Show the whole graph', synonyms: 'zoom fit', keys: ['f'], hint: 'fit' },
  zoomIn: { title: 'Zoom in', keys: ['+', '='], ...zoom },
  zoomOut: { title: 'Zoom out', keys: ['-'], ...zoom },
});
