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

/** What to do about a failure, by its code; the daemon's own sentence stands above it. */
export const adviceWords = {
  unreachable: 'Reflect tries again by itself. If it stays so, start it with “reflect start”.',
  'timed-out': 'The daemon is busy. Try again in a moment.',
  'too-many': 'Wait a moment and try again.',
  unauthorized: 'Open the window again with “reflect ui”; the one-time code of this page is used up.',
  forbidden: 'Open the window again with “reflect ui”.',
  'not-found': 'It may have been removed meanwhile. Go back to the list.',
  conflict: 'Somebody changed it meanwhile. Look at the newer version first.',
  'models-missing': 'Get the models on the Health page; until then words are matched, not meanings.',
  'agent-unchanged': 'Put right what is said above, then try again; “reflect doctor” tells more.',
  'read-only': 'Its file or its setting says it must not be changed here.',
  unreadable: 'Quit Reflect and open it again: after an update its two halves may differ until then.',
  other: 'Try again. If it fails again, the log in the Reflect folder says why (“reflect doctor” shows it).',
};

export const undoWords = {
  undone: 'Taken back.',
  undoneChange: (kind: string, title: string) => `Taken back: ${kind} “${title}”.`,
  region: 'Last action',
};

export const statusWords = {
  label: 'Status',
  connecting: 'Connecting to the daemon',
  offline: 'The daemon does not answer; trying again',
  watching: (agents: number) =>
    agents === 0 ? 'no agent found on this machine yet' : `watching ${plural(agents, 'agent', 'agents')}`,
  'back-filling': (percent: string) => `reading older transcripts, ${percent}`,
  paused: 'capture is paused',
  off: 'capture is off',
  queue: (count: number) => `${plural(count, 'moment', 'moments')} to write down`,
  learnings: (count: number) => plural(count, 'learning', 'learnings'),
  recall: (ms: string) => `recall ${ms}`,
  spent: (tokens: number) => `${plural(tokens, 'token', 'tokens')} spent today`,
  indexBuilding: (waiting: number) => `indexing ${formatCount(waiting)}`,
  fetching: 'fetching models',
  wordsOnly: 'models missing, only words are matched: see Health',
  offlineTitle: 'The daemon does not answer. What you see is what it last said.',
  restartToUpdate: (version: string) => `Restart to update to ${version}`,
};

export const paletteWords = {
  label: 'Commands',
  open: 'Search or command',
  short: 'Search',
  placeholder: 'Go to a page, find a learning, do something',
  nothing: 'Nothing matches.',
  learnings: 'Matching learnings',
};

export const keysTitle = 'Keys';
