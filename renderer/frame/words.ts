import { formatCount, plural } from '../ui/format.ts';

export const product = 'Reflect';

export const skipToContent = 'Skip to content';

export const navigation = 'Pages';
export const advancedPages = 'Advanced';

export const pageNames = {
  inbox: 'Inbox',
  learnings: 'Learnings',
  lab: 'Recall lab',
  graph: 'Graph',
  slots: 'Pinned',
  sessions: 'Sessions',
  utility: 'Utility',
  team: 'Team',
  settings: 'Settings',
  welcome: 'Set up',
};

/** Advice for a failure, by its code; the daemon's own sentence is shown above it. */
export const adviceWords = {
  unreachable: 'Reflect keeps trying. If it stays offline, run “reflect start”.',
  'timed-out': 'The daemon is busy. Try again in a moment.',
  'too-many': 'Wait a moment and try again.',
  unauthorized: 'Run “reflect ui” to open Reflect again. This link was already used.',
  forbidden: 'Run “reflect ui” to open Reflect again.',
  'not-found': 'It may have been deleted. Go back to the list.',
  conflict: 'It was changed elsewhere. Review the newer version first.',
  'models-missing':
    'Download the models in Settings › Models. Until then, search matches words, not meaning.',
  'agent-unchanged': 'Fix the problem above, then try again. “reflect doctor” shows more.',
  'read-only': 'Its file or its setting is read-only.',
  unreadable:
    'Quit Reflect and open it again. After an update, the window and the daemon can have different versions.',
  other: 'Try again. If it fails again, see the log in the Reflect folder (“reflect doctor” shows it).',
};

export const undoWords = {
  undone: (says: string) => `Undone: ${says}`,
  redone: (says: string) => `Redone: ${says}`,
  nothingToUndo: 'Nothing to undo',
  nothingToRedo: 'Nothing to redo',
  region: 'Last action',
};

/** The condition of Reflect in a line, and what to do where something is wrong. */
export const conditionWords = {
  good: 'Everything works',
  andMore: (says: string, count: number) => `${says}, and ${count} more`,
  notAgreed: {
    says: 'Reflect is not reading yet.',
    advice: 'Open the setup to see what it would read, and start.',
  },
  captureOff: {
    says: 'Capture is off.',
    advice: 'Reflect reads no transcripts. Turn capture on in Settings › General.',
  },
  capturePaused: {
    says: 'Capture is paused.',
    advice: 'Reflect catches up when you resume.',
  },
  wordsOnly: {
    says: 'Search matches words only.',
    advice: 'The embedding model is not available. Download it in Settings › Models.',
  },
  noAgents: {
    says: 'No transcripts found yet.',
    advice: 'Reflect starts once an agent has been used on this machine.',
  },
  unreadable: (count: number) => `${plural(count, 'note file', 'note files')} cannot be read.`,
  unreadableAdvice: 'The Inbox shows each with its line. Recall uses the last good version.',
};

export const statusWords = {
  label: 'Status',
  connecting: 'Connecting to the daemon',
  offline: 'The daemon does not respond. Trying again…',
  watching: (agents: number) => `watching ${plural(agents, 'agent', 'agents')}`,
  'back-filling': (percent: string) => `reading older transcripts, ${percent}`,
  queue: (count: number) => `${plural(count, 'moment', 'moments')} to process`,
  learnings: (count: number) => plural(count, 'learning', 'learnings'),
  recall: (ms: string) => `recall ${ms}`,
  spent: (tokens: number) => `${plural(tokens, 'token', 'tokens')} spent today`,
  indexBuilding: (waiting: number) => `indexing ${formatCount(waiting)}`,
  fetching: 'downloading models',
  offlineTitle: 'The daemon does not respond. This is its last known state.',
  loadsLater: 'This loads once the daemon responds.',
  startDaemon: 'Start the daemon',
  restartToUpdate: (version: string) => `Restart to update to ${version}`,
};

export const paletteWords = {
  label: 'Commands',
  open: 'Search or command',
  short: 'Search',
  placeholder: 'Search learnings, pages and commands',
  nothing: 'Nothing matches.',
  elsewhere: 'On other pages',
  learnings: 'Matching learnings',
};

export const confirmInApp = 'Confirm this change in the Reflect app.';
export const keysTitle = 'Keys';
export const contextMenuLabel = 'Row actions';
