import type { Restoring } from '#contract/backups.ts';
import { formatCount, plural } from '../ui/format.ts';

/** The agents whose transcripts are read, and how far. */
export const sourcesWords = {
  sources: 'Watched agents',
  folders: 'Folders Reflect reads',
  agent: 'Agent',
  folder: 'Folder',
  files: 'Files',
  read: 'Read',
  records: 'Records',
  unknown: 'Not recognised',
  last: 'Last seen',
  supported: (agents: string) => `Supported agents: ${agents}`,
  alsoSupported: (agents: string) => `Also supported (not installed): ${agents}`,
  of: (bytes: string) => `of ${bytes}`,
  badLines: (count: number) => plural(count, 'bad line', 'bad lines'),
  unknownKinds: (count: number) => plural(count, 'unknown record', 'unknown records'),
  none: 'none',
  never: 'never',
};

export const healthWords = {
  charts: {
    recall: 'Recent recall times: median and 95th percentile',
    followUps: 'Recent share of repeated questions',
    queue: 'Recent queue length',
    memory: 'Recent memory use of the daemon',
    spend: 'Language model tokens by day',
  },
  stages: 'Slowest step',
  stagesSays: (stage: string, ms: string) => `The slowest recall step is “${stage}”, with a median of ${ms}.`,
  stageNames: {
    query: 'dates',
    answer: 'persona',
    scope: 'scope',
    cache: 'cache',
    arm: 'search',
    floor: 'floors',
    fuse: 'fusing',
    rerank: 'reranking',
    gate: 'gate',
    boost: 'boosts',
    diversify: 'variety',
    budget: 'budget',
  } as Record<string, string>,
  notYet: 'No recalls yet.',
  cache: 'Cache hits',
  cacheSays: (cached: number, asked: number) =>
    `${formatCount(cached)} of ${plural(asked, 'question', 'questions')} since the start were answered from the cache.`,
  parts: {
    notes: 'notes',
    words: 'by words',
    vectors: 'by meaning',
    graph: 'graph',
    history: 'history',
    capture: 'capture',
    other: 'other',
  },
  followUps: 'Asked again',
  followUpsSays: 'Share of recalls that were followed by another on the same topic.',
  gaps: 'Gaps',
  gapsSays: (count: number) =>
    count === 0
      ? 'Every question found a learning.'
      : `${plural(count, 'question', 'questions')} found no learning; see the`,
  spentOn: (day: string, tokens: number, cost: number | null) =>
    `${day}: ${plural(tokens, 'token', 'tokens')}${cost === null ? '' : `, $${cost.toFixed(2)}`}`,
  writtenBy: (writer: string, model: string) =>
    `Notes are written by ${writer}${model ? ` (${model})` : ''}.`,
  held: (why: string, until: string) => `Language model paused until ${until}: ${why}`,
  recall: 'Recall',
  recallNone: 'No questions since the start.',
  recallSays: (count: number, p50: string, p95: string) =>
    `${plural(count, 'question', 'questions')} since the start: median ${p50}, 95th percentile ${p95}.`,
  memory: 'Memory',
  memorySays: (rss: string, since: string) => `The daemon uses ${rss}. Started ${since}.`,
  index: 'Index',
  indexSays: {
    ready: (vectors: number) =>
      `All learnings are searchable by meaning: ${plural(vectors, 'vector', 'vectors')}.`,
    building: (waiting: number) =>
      `Building: ${plural(waiting, 'learning', 'learnings')} left. Until then recall matches words.`,
    'lexical-only': () => 'Recall matches words only: the embedding model is not available.',
  },
  queue: 'Capture',
  queueSays: {
    watching: 'Reading transcripts as agents write them.',
    'back-filling': 'Reading older transcripts.',
    paused: 'Capture is paused.',
    off: 'Capture is off.',
  },
  queueWaiting: (count: number) =>
    count === 0 ? 'The queue is empty.' : `${plural(count, 'moment', 'moments')} in the queue.`,
  store: 'Store',
  storeSays: (bytes: string) => `The database takes ${bytes}.`,
  storeProblems: (count: number) =>
    count === 0
      ? 'Every file can be read.'
      : `${plural(count, 'file', 'files')} cannot be read; see the Inbox.`,
  privacy: 'Privacy',
  privacyNone: 'No secrets found.',
  privacySays: (count: number) =>
    `${plural(count, 'secret', 'secrets')} redacted before anything was stored.`,
  spend: 'Spending',
  spendSays: (tokens: number) =>
    tokens === 0
      ? 'No language model tokens spent today.'
      : `${plural(tokens, 'language model token', 'language model tokens')} spent today.`,
  modelRoles: { embedder: 'Embedder', 'cross-encoder': 'Reranker' },
  modelSlots: { embedder: 'in use', 'second-embedder': 'second embedder', 'cross-encoder': 'in use' },
  modelStates: {
    missing: 'not downloaded',
    fetching: 'downloading',
    'wrong-hash': 'checksum mismatch; not used',
    ready: 'ready',
    loaded: 'loaded',
    failed: 'failed',
  },
  get: 'Download',
  getAll: 'Download missing models',
  backup: {
    title: 'Backups',
    none: 'No backup yet. Reflect makes one every day.',
    make: 'Back up now',
    look: 'Restore…',
    lookAt: (ago: string) => `Preview a restore of the backup made ${ago}`,
    restore: 'Restore',
    cancel: 'Cancel',
    skip: 'Continue without a backup',
    damaged: 'damaged',
    dateUnknown: 'Date unknown',
    holds: (learnings: number, slots: number) =>
      `${plural(learnings, 'learning', 'learnings')}, ${plural(slots, 'slot', 'slots')}`,
    why: (label: string) =>
      label === 'daily'
        ? 'daily'
        : label === 'by-hand'
          ? 'made by you'
          : label === 'before-restore'
            ? 'before a restore'
            : 'before an update',
    preview: ({ diff: { added, changed, missing }, keepNotes }: Restoring) =>
      keepNotes
        ? `Slots, history and decisions are restored; your note files stay. ${plural(added.total, 'item comes', 'items come')} back.`
        : `${plural(added.total, 'item comes', 'items come')} back, ${changed.total} revert, ${missing.total} are removed. The current state is backed up first.`,
  },
  about: 'About',
  aboutSays: (version: string, node: string) => `Reflect ${version} on Node ${node}.`,
  home: (home: string) => `Data folder: ${home}`,
};
