import { formatCount, plural } from '../ui/format.ts';

export const product = 'Reflect';

export const skipToContent = 'Skip to content';

export const navigation = 'Pages';

export const pageNames = {
  inbox: 'Inbox',
  learnings: 'Learnings',
  lab: 'Recall lab',
  graph: 'Graph',
  slots: 'Slots',
  sessions: 'Sessions',
  utility: 'Utility',
  health: 'Health',
  team: 'Team',
  settings: 'Settings',
};

/** Advice for a failure, by its code; the daemon's own sentence is shown above it. */
export const adviceWords = {
  unreachable: 'Reflect keeps trying. If it does not come back, start it with “reflect start”.',
  'timed-out': 'The daemon is busy. Try again in a moment.',
  'too-many': 'Wait a moment and try again.',
  unauthorized: 'Open the window again with “reflect ui”; the one-time code of this page was used.',
  forbidden: 'Open the window again with “reflect ui”.',
  'not-found': 'It may have been deleted. Go back to the list.',
  conflict: 'It was changed elsewhere. Read the newer version first.',
  'models-missing': 'Download the models on the Health page. Until then, search matches words, not meaning.',
  'agent-unchanged': 'Fix the problem above, then try again. “reflect doctor” shows more.',
  'read-only': 'Its file or its setting is read-only.',
  unreadable:
    'Quit Reflect and open it again: after an update, the window and the daemon may have different versions.',
  other: 'Try again. If it fails again, see the log in the Reflect folder (“reflect doctor” shows it).',
};

export const undoWords = {
  undone: 'Undone.',
  undoneChange: (kind: string, title: string) => `Undone: ${kind} “${title}”.`,
  region: 'Last action',
};

export const statusWords = {
  label: 'Status',
  connecting: 'Connecting to the daemon',
  offline: 'The daemon does not answer. Trying again…',
  watching: (agents: number) =>
    agents === 0 ? 'no agents found' : `watching ${plural(agents, 'agent', 'agents')}`,
  'back-filling': (percent: string) => `reading older transcripts, ${percent}`,
  paused: 'capture is paused',
  off: 'capture is off',
  queue: (count: number) => `${plural(count, 'moment', 'moments')} to process`,
  learnings: (count: number) => plural(count, 'learning', 'learnings'),
  recall: (ms: string) => `recall ${ms}`,
  spent: (tokens: number) => `${plural(tokens, 'token', 'tokens')} spent today`,
  indexBuilding: (waiting: number) => `indexing ${formatCount(waiting)}`,
  fetching: 'downloading models',
  wordsOnly: 'models missing: search matches words only (see Health)',
  offlineTitle: 'The daemon does not answer. You see its last known state.',
  restartToUpdate: (version: string) => `Restart to update to ${version}`,
};

export const paletteWords = {
  label: 'Commands',
  open: 'Search or command',
  short: 'Search',
  placeholder: 'Search learnings, pages and commands',
  nothing: 'Nothing matches.',
  learnings: 'Matching learnings',
};

export const keysTitle = 'Keys';
