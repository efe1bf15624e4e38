import { formatCount, plural } from '../ui/format.ts';

export const sessionsWords = {
  agent: 'Agent',
  project: 'Project',
  list: 'Sessions, latest first',
  count: (count: number) => plural(count, 'session', 'sessions'),
  detail: 'Session',
  search: 'Search sessions',
  noMatch: 'No session matches',
  clear: 'Clear filters',
  choose: 'Select a session to see what was captured from it and injected into it.',
  untitled: 'Untitled session',
  id: 'Session id',
  live: 'live',
  toDecide: (count: number) => `${formatCount(count)} to decide`,
  tally: (moments: number, injected: number, troubles: number) =>
    [
      troubles > 0 ? plural(troubles, 'problem', 'problems') : '',
      moments > 0 ? plural(moments, 'moment', 'moments') : '',
      injected > 0 ? `${plural(injected, 'learning', 'learnings')} injected` : '',
    ]
      .filter(Boolean)
      .join(' · '),
  ended: (well: number, badly: number) =>
    [well > 0 ? `${formatCount(well)} helped` : '', badly > 0 ? `${formatCount(badly)} didn’t help` : '']
      .filter(Boolean)
      .join(', '),
  givenTitle: 'Injected',
  givenNone: 'Nothing. The agent is not connected, or nothing was relevant.',
  troublesTitle: 'Problems',
  troubles: { loop: 'went in circles', 'test-regression': 'broke passing tests' },
  momentsTitle: 'Captured',
  momentsNone: 'Nothing was captured from this session.',
  between: (from: string, to: string) => (from === to ? from : `${from} to ${to}`),
  pause: 'Pause capture',
  resume: 'Resume capture',
  reading: 'Reading older transcripts',
  filesRead: (done: number, total: number) => `${formatCount(done)} of ${plural(total, 'file', 'files')}`,
  writing: 'Writing notes',
  toWrite: (moments: number) => `${plural(moments, 'moment', 'moments')} to go`,
  pausedReading: 'paused',
  timeLeft: (minutes: number) =>
    minutes < 1
      ? 'less than a minute left'
      : `about ${plural(Math.round(minutes), 'minute', 'minutes')} left`,
  emptyTitle: 'No sessions yet',
  emptyBody: 'Work with your agents as usual. Each session appears here with what you taught the agent.',
  noAgentsBody: 'No coding agent has been used on this machine yet. Its sessions will appear here.',
  why: 'Why it was captured',
  states: {
    queued: 'queued',
    leased: 'in progress',
    kept: 'kept',
    candidate: 'candidate',
    duplicate: 'already known',
    held: 'possible duplicate',
    failed: 'failed',
    dismissed: 'dismissed',
  },
  openLearning: 'Open the learning',
  openCandidate: 'Open the candidate',
  keep: 'Keep',
  drop: 'Drop',
  keptCandidate: 'Kept as a learning.',
  openInbox: 'Decide in the Inbox',
  dismiss: 'Dismiss',
  dismissed: 'Dismissed and archived its learning.',
  dismissedOnly: 'Dismissed.',
  error: 'Error',
};
