import { formatCount, plural } from '../ui/format.ts';

export const healthWords = {
  charts: {
    recall: 'How long recalls took lately: half of them, and nearly all of them',
    followUps: 'How often an agent asked again, lately',
    queue: 'How much waited to be written down, lately',
    memory: 'How much memory the daemon held, lately',
    spend: 'Tokens of a language model, by day',
  },
  stages: 'Slowest step',
  stagesSays: (stage: string, ms: string) =>
    `Of the steps of a recall “${stage}” takes longest: ${ms} in half of the recent ones.`,
  stageNames: {
    query: 'dates',
    answer: 'persona',
    scope: 'scope',
    cache: 'memory',
    arm: 'search',
    floor: 'floors',
    fuse: 'fusing',
    rerank: 'reranking',
    gate: 'gate',
    boost: 'boosts',
    diversify: 'variety',
    budget: 'budget',
  } as Record<string, string>,
  notYet: 'There is nothing to tell before the first recall.',
  cache: 'Answered from memory',
  cacheSays: (cached: number, asked: number) =>
    `${formatCount(cached)} of ${plural(asked, 'question', 'questions')} since the start had been asked before, in these or nearly these words, and needed no search.`,
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
  followUpsSays:
    'Of the recalls, as many were followed by a second one on the same matter: the first had not answered it.',
  gaps: 'Gaps',
  gapsSays: (count: number) =>
    count === 0
      ? 'Every question found a learning.'
      : `${plural(count, 'question', 'questions')} found no learning; see the`,
  spentOn: (day: string, tokens: number, cost: number | null) =>
    `${day}: ${plural(tokens, 'token', 'tokens')}${cost === null ? '' : `, $${cost.toFixed(2)}`}`,
  writtenBy: (writer: string, model: string) =>
    `Notes are written by ${writer}${model ? ` (${model})` : ''}.`,
  held: (why: string, until: string) => `A model is not asked until ${until}: ${why}`,
  recall: 'Recall',
  recallNone: 'No question has been asked since the start.',
  recallSays: (count: number, p50: string, p95: string) =>
    `${plural(count, 'question', 'questions')} since the start: half were answered within ${p50}, nearly all within ${p95}.`,
  memory: 'Memory',
  memorySays: (rss: string, since: string) => `The daemon holds ${rss}; it started ${since}.`,
  index: 'Index',
  indexSays: {
    ready: (vectors: number) =>
      `Every learning can be found by meaning: ${plural(vectors, 'vector', 'vectors')}.`,
    building: (waiting: number) =>
      `Being built: ${plural(waiting, 'learning waits', 'learnings wait')}. Recall works meanwhile, by words.`,
    'lexical-only': () => 'Learnings are found by their words only, for the embedding model is not there.',
  },
  queue: 'Capture',
  queueSays: {
    watching: 'Transcripts are read as they are written.',
    'back-filling': 'Older transcripts are being read.',
    paused: 'Capture is paused; nothing new is noticed.',
    off: 'Capture is off.',
  },
  queueWaiting: (count: number) =>
    count === 0
      ? 'Nothing waits to be written down.'
      : `${plural(count, 'moment waits', 'moments wait')} to be written down.`,
  store: 'Store',
  storeSays: (bytes: string) => `The database takes ${bytes}.`,
  storeProblems: (count: number) =>
    count === 0
      ? 'Every file can be read.'
      : `${plural(count, 'file', 'files')} cannot be read; see the Inbox.`,
  privacy: 'Privacy',
  privacyNone: 'No secret has been met in the transcripts yet.',
  privacySays: (count: number) =>
    `${plural(count, 'secret was', 'secrets were')} cut out before anything was kept.`,
  spend: 'Spending',
  spendSays: (tokens: number) =>
    tokens === 0
      ? 'No token of a language model was spent today.'
      : `${plural(tokens, 'token', 'tokens')} of a language model were spent today.`,
  models: 'Models',
  modelRoles: { embedder: 'finds by meaning', 'cross-encoder': 'ranks the best' },
  modelSlots: { embedder: 'in use', 'second-embedder': 'in use, second', 'cross-encoder': 'in use' },
  modelStates: {
    missing: 'not on this machine',
    fetching: 'being fetched',
    'wrong-hash': 'the file is not the one we know; it is not used',
    ready: 'ready',
    loaded: 'loaded',
    failed: 'failed',
  },
  get: 'Get',
  getAll: 'Get missing models',
  about: 'About',
  aboutSays: (version: string, node: string) => `Reflect ${version} on Node ${node}.`,
  home: (home: string) => `Everything is kept in ${home}.`,
};
