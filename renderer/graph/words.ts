import { formatCount, plural } from '../ui/format.ts';

export const graphWords = {
  search: 'Find a name',
  count: (names: number, edges: number, total: number | null) =>
    [
      total === null
        ? plural(names, 'name', 'names')
        : `${formatCount(names)} of ${plural(total, 'name', 'names')}`,
      plural(edges, 'relation', 'relations'),
    ].join(' · '),
  canvas: (names: number, edges: number) =>
    `Graph of ${plural(names, 'name', 'names')} and ${plural(edges, 'relation', 'relations')}; t shows it as a table`,
  table: 'Names',
  showTable: 'Table',
  showGraph: 'Graph',
  filters: { project: 'Project', entity: 'Kind', relation: 'Relation', most: 'At most' },
  entityTypes: {
    technology: 'technology',
    error: 'error',
    pattern: 'pattern',
    function: 'function',
    concept: 'concept',
    tool: 'tool',
  },
  legend: 'Relations by colour',
  families: {
    cause: 'causes',
    help: 'helps',
    against: 'prevents',
    structure: 'builds on',
    change: 'replaces',
    plain: 'relates to',
  },
  validAt: 'As of',
  now: 'today',
  columns: { name: 'Name', type: 'Kind', neighbours: 'Neighbours', notes: 'Notes', since: 'Known since' },
  neighbours: (count: number) => plural(count, 'neighbour', 'neighbours'),
  notesCount: (count: number) => plural(count, 'note', 'notes'),
  focused: (name: string, type: string, neighbours: number) =>
    `${name}, ${type}, ${plural(neighbours, 'neighbour', 'neighbours')}`,
  entity: 'Name and its relations',
  relations: 'Relations',
  noRelations: 'No relations yet.',
  notes: 'Notes',
  noNotes: 'No note mentions it directly. See the notes linked above.',
  note: 'the note',
  since: (day: string) => `since ${day}`,
  between: (from: string, to: string) => `${from} to ${to}`,
  onlyNewest: 'Only the newest relations are shown.',
  clear: 'Clear filters',
  emptyTitle: 'No names yet',
  emptyBody: 'Technologies, errors and tools that learnings mention appear here, with their relations.',
  emptyAction: 'See learnings',
  noMatchTitle: 'No name matches',
  noMatchBody: 'Try fewer filters.',
};
