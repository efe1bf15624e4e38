import * as z from 'zod';
import { ArchiveProgress, ImportMode } from './archive.ts';
import { count, epochMs, learningId, unit } from './fields.ts';

/** The closed set of edges a note may draw; the first eight say why, the rest only that (S2). */
export const RELATION_TYPES = [
  'caused_by',
  'causes',
  'enables',
  'prevents',
  'contradicts',
  'supersedes',
  'part_of',
  'uses',
  'solves',
  'requires',
  'relates_to',
  'implements',
  'configures',
  'triggers',
] as const;
export const ENTITY_TYPES = ['technology', 'error', 'pattern', 'function', 'concept', 'tool'] as const;

export const Entity = z.strictObject({
  name: z.string().min(1),
  type: z.enum(ENTITY_TYPES),
  description: z.string().default(''),
});
export type Entity = z.infer<typeof Entity>;

/** An edge carries two clocks: `committedAt` is when we learned it, `validFrom…validTo` when it was true (A2). */
export const Relation = z.strictObject({
  source: z.string().min(1),
  target: z.string().min(1),
  type: z.enum(RELATION_TYPES),
  description: z.string().default(''),
  strength: z.number().int().min(1).max(10).default(5),
  committedAt: epochMs.nullable().default(null),
  validFrom: epochMs.nullable().default(null),
  validTo: epochMs.nullable().default(null),
});
export type Relation = z.infer<typeof Relation>;

/** Where a learning came from, down to the bytes of the transcript. */
export const Provenance = z.strictObject({
  agent: z.string().default(''),
  transcript: z.string().default(''),
  session: z.string().default(''),
  chunk: z.string().default(''),
  spanStart: count.default(0),
  spanEnd: count.default(0),
  commit: z.string().default(''),
  quote: z.string().default(''),
});
export type Provenance = z.infer<typeof Provenance>;

/** What churns with use. It lives in the database only, so a note's file changes when its meaning does (S9). */
export const Signals = z.strictObject({
  qValue: unit,
  quality: z.number().int().min(1).max(5),
  uses: count,
  successes: count,
  proofCount: count,
  recallCount: count,
  helpfulCount: count,
  ignoredCount: count,
  staleCount: count,
  lastRecalledAt: epochMs.nullable(),
  importance: z.number(),
  maturity: z.enum(['draft', 'validated', 'core']),
});
export type Signals = z.infer<typeof Signals>;

export const STATUSES = [
  'active',
  'proposed',
  'superseded',
  'reverted',
  'rejected',
  'archived',
  'forgotten',
] as const;
export const Status = z.enum(STATUSES);
export type Status = z.infer<typeof Status>;

const line = z.string().max(400);
const text = z.string().max(100_000);

/** What a person or a writer decides about a note: everything that is kept in its markdown file. */
export const Note = z.strictObject({
  title: line.min(1),
  category: line.default('general'),
  type: line.default('pattern'),
  tags: z.array(line).max(50).default([]),
  confidence: unit.default(0.6),
  problem: text.default(''),
  rootCause: text.default(''),
  fix: text.default(''),
  rule: text.default(''),
  keyInsight: text.default(''),
  body: text.default(''),
  /** Normalised project identity; '' for a note that belongs to no project. */
  project: z.string().max(500).default(''),
  /** The branch it was captured on, while that branch is not merged. */
  branch: z.string().max(300).nullable().default(null),
  scope: z.enum(['project', 'global']).default('project'),
  status: Status.default('active'),
  isLatest: z.boolean().default(true),
  supersededBy: z.string().nullable().default(null),
  speculative: z.boolean().default(false),
  outcome: z.enum(['pass', 'fail', 'none']).default('none'),
  task: text.default(''),
  summary: text.default(''),
  keyMistake: text.default(''),
  correctAction: text.default(''),
  applicableTools: z.array(line).default([]),
  guidance: text.default(''),
  toolsUsed: z.array(line).default([]),
  metadata: z.record(z.string(), z.unknown()).default({}),
  forgetAfter: epochMs.nullable().default(null),
  validated: z.boolean().default(true),
  unverifiedRefs: z.array(line).default([]),
  provenance: Provenance.prefault({}),
  entities: z.array(Entity).default([]),
  relations: z.array(Relation).default([]),
});
export type Note = z.infer<typeof Note>;
export type NoteInput = z.input<typeof Note>;

// `.partial()` would keep the defaults, and an edit of one field would blank all others.
const withoutDefault = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault ? (schema.unwrap() as z.ZodType) : schema;
const patchShape = Object.fromEntries(
  Object.entries(Note.shape).map(([field, schema]) => [field, withoutDefault(schema).optional()]),
);

/** Some fields of a note, to be changed; what is absent stays as it is. */
export const NotePatch = z.strictObject(patchShape) as unknown as z.ZodType<
  Partial<Note>,
  Partial<NoteInput>
>; // each field is Note's own

/** A note in the knowledge base. Its id is stable across machines. */
export const Learning = Note.extend({
  id: learningId,
  createdAt: epochMs,
  updatedAt: epochMs,
  signals: Signals,
  /** Why the file on disk cannot be read; the learning then keeps its last good version. */
  documentProblem: z.string().nullable(),
});
export type Learning = z.infer<typeof Learning>;

/** One line of a list: enough to choose by, without bodies. */
export const LearningRow = Learning.pick({
  id: true,
  title: true,
  category: true,
  type: true,
  tags: true,
  confidence: true,
  project: true,
  branch: true,
  scope: true,
  status: true,
  speculative: true,
  createdAt: true,
  updatedAt: true,
  documentProblem: true,
}).extend({ agent: z.string(), proofCount: count, recallCount: count, snippet: z.string() });
export type LearningRow = z.infer<typeof LearningRow>;

/** One mutation: who, when, why, and what stood there before, so that it can be undone (S6). */
export const Change = z.strictObject({
  id: count,
  at: epochMs,
  actor: z.string(),
  kind: z.enum([
    'create',
    'update',
    'prove',
    'archive',
    'restore',
    'supersede',
    'revert',
    'merge',
    'move',
    'undo',
  ]),
  learningId: z.string(),
  reason: z.string(),
  /** Where the evidence came from, if it came from somewhere: the same source proves a learning once. */
  source: z.string(),
  /** The first change of the event it is part of; null when it stands alone or is the first. All of an event are undone together. */
  unit: count.nullable(),
  fields: z.array(z.string()),
  before: Note.nullable(),
  after: Note.nullable(),
  /** How often the learning was proven before; null where that was not recorded. */
  proofCount: count.nullable(),
  proofsAdded: z.number().int(),
  undone: z.boolean(),
});
export type Change = z.infer<typeof Change>;

export const Project = z.strictObject({
  id: z.string(),
  name: z.string(),
  root: z.string(),
  learnings: count,
  branches: z.array(z.string()),
});
export type Project = z.infer<typeof Project>;

/** Two notes only a person can judge: they say nearly the same (C1), or seem to say the opposite (SG1). */
export const MergeQuestion = z.strictObject({
  id: count,
  kind: z.enum(['twin', 'contradiction']),
  at: epochMs,
  similarity: unit,
  existing: Learning,
  incoming: Learning,
  state: z.enum(['open', 'merged', 'kept-both', 'dismissed', 'replaced']),
});
export type MergeQuestion = z.infer<typeof MergeQuestion>;

export const Slot = z.strictObject({
  project: z.string(),
  name: z.string(),
  content: z.string(),
  description: z.string(),
  sizeLimit: count,
  readOnly: z.boolean(),
  /** 0 for a slot nobody has written to yet. */
  updatedAt: epochMs,
  /** Where a person placed it, from 1; 0 for its usual place. */
  position: count.default(0),
});
export type Slot = z.infer<typeof Slot>;

/** One edit of a slot, with what stood there before, so that it can be undone. */
export const SlotChange = z.strictObject({
  id: count,
  at: epochMs,
  actor: z.string(),
  kind: z.enum(['create', 'append', 'replace', 'empty', 'remove', 'configure', 'order', 'undo']),
  project: z.string(),
  name: z.string(),
  before: Slot.nullable(),
  after: Slot.nullable(),
  undone: z.boolean(),
});
export type SlotChange = z.infer<typeof SlotChange>;

/** An installed skill of an agent, as its SKILL.md describes it (R20). */
export const Skill = z.strictObject({
  path: z.string(),
  name: z.string(),
  agent: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  /** The project it belongs to; '' for one in the agent's own home, which is there everywhere. */
  root: z.string(),
  refreshedAt: epochMs,
  /** What was learned since contradicts it; it is not offered until its file changes. */
  stale: z.boolean(),
});
export type Skill = z.infer<typeof Skill>;

/** A session that was given a learning. */
export const SessionUse = z.strictObject({
  session: z.string(),
  learningId: z.string(),
  title: z.string(),
  /** When it was given: as the session started, with a prompt, before a tool, or because the agent asked. */
  via: z.enum(['start', 'prompt', 'tool', 'recall']),
  firstAt: epochMs,
  at: epochMs,
  agent: z.string(),
  project: z.string(),
  /** How the session judged it in the end; null while nothing did. */
  outcome: z.enum(['pass', 'fail']).nullable(),
});
export type SessionUse = z.infer<typeof SessionUse>;

/** A session of an agent, as far as something was noticed in it or it was given something. */
export const SessionSummary = z.strictObject({
  session: z.string(),
  agent: z.string(),
  project: z.string(),
  firstAt: epochMs,
  lastAt: epochMs,
  /** Moments noticed in it, and how many of them became or proved a learning. */
  moments: count,
  kept: count,
  /** Learnings it was given, and how it judged them in the end. */
  given: count,
  well: count,
  badly: count,
});
export type SessionSummary = z.infer<typeof SessionSummary>;

/** A question nobody could answer from the knowledge base (SG6). */
export const Gap = z.strictObject({
  query: z.string(),
  project: z.string(),
  times: count,
  sessions: count,
  lastAt: epochMs,
});
export type Gap = z.infer<typeof Gap>;

/** Where a candidate stood after one step of a recall, and what that step said about it. */
export const TraceCandidate = z.strictObject({
  id: z.string(),
  title: z.string(),
  rank: count,
  score: z.number(),
  note: z.string().optional(),
});
export const TraceStep = z.strictObject({
  stage: z.string(),
  port: z.string(),
  seed: z.string().nullable(),
  on: z.boolean(),
  ms: z.number(),
  /** What the step did, in a sentence; also why it did nothing. */
  says: z.string(),
  knobs: z.record(z.string(), z.unknown()),
  candidates: z.array(TraceCandidate),
  dropped: z.array(z.strictObject({ id: z.string(), title: z.string(), reason: z.string() })),
});
export type TraceStep = z.infer<typeof TraceStep>;

export const Hit = z.strictObject({
  learning: Learning,
  score: z.number(),
  rank: count,
  tokens: count,
  /** The field asked for, if one was (S1); null when the note does not say. */
  value: z.union([z.string(), z.number()]).nullable().optional(),
});
export type Hit = z.infer<typeof Hit>;

export const KnobState = z.strictObject({
  name: z.string(),
  type: z.enum(['flag', 'number', 'integer', 'text', 'choice']),
  doc: z.string(),
  port: z.string(),
  default: z.unknown(),
  value: z.unknown(),
  source: z.enum(['default', 'home', 'project', 'environment', 'call']),
  min: z.number().nullable(),
  max: z.number().nullable(),
  choices: z.array(z.string()).nullable(),
});
export type KnobState = z.infer<typeof KnobState>;

export const PortState = z.strictObject({
  seed: z.string(),
  what: z.string(),
  built: z.boolean(),
  knobs: z.array(KnobState.pick({ name: true, value: true })),
  module: z.string().nullable(),
  proof: z.string().nullable(),
});
export type PortState = z.infer<typeof PortState>;

export const ModelState = z.strictObject({
  id: z.string(),
  role: z.enum(['embedder', 'cross-encoder']),
  licence: z.string(),
  bytes: count,
  /** `wrong-hash`: the file is there but is not the one the manifest names; it is never loaded. */
  state: z.enum(['missing', 'fetching', 'wrong-hash', 'ready', 'loaded', 'failed']),
  /** Which job this model does now, if any. */
  slot: z.enum(['embedder', 'second-embedder', 'cross-encoder']).nullable(),
  fetched: count,
  detail: z.string(),
});
export type ModelState = z.infer<typeof ModelState>;

/** A slice of dialogue that something was learned in, and what became of it. */
export const Moment = z.strictObject({
  id: count,
  signal: z.string(),
  agent: z.string(),
  session: z.string(),
  transcript: z.string(),
  project: z.string(),
  branch: z.string().nullable(),
  at: epochMs,
  /** The words that triggered the capture, redacted. */
  quote: z.string(),
  why: z.array(z.string()),
  state: z.enum(['queued', 'leased', 'kept', 'duplicate', 'held', 'failed', 'dismissed']),
  error: z.string(),
  learningId: z.string().nullable(),
});
export type Moment = z.infer<typeof Moment>;

/** A part of a transcript, down to its bytes, and the learnings that come from it (S8). */
export const Chunk = Moment.pick({
  id: true,
  agent: true,
  transcript: true,
  session: true,
  signal: true,
  at: true,
  state: true,
}).extend({
  hash: z.string(),
  spanStart: count,
  spanEnd: count,
  learnings: z.array(z.string()),
});
export type Chunk = z.infer<typeof Chunk>;

export const WatchedSource = z.strictObject({
  agent: z.string(),
  folder: z.string(),
  present: z.boolean(),
  files: count,
  bytes: count,
  bytesRead: count,
  records: count,
  badLines: count,
  unknown: z.record(z.string(), count),
  lastEventAt: epochMs.nullable(),
});
export type WatchedSource = z.infer<typeof WatchedSource>;

/** How far the reading of transcripts has come: of all that waits now, or of the last time when nothing does. */
export const CaptureProgress = z.strictObject({
  filesDone: count,
  filesTotal: count,
  bytesDone: count,
  bytesTotal: count,
  /** Whose transcript is being read. */
  agent: z.string(),
  bytesPerSecond: count,
});
export type CaptureProgress = z.infer<typeof CaptureProgress>;

/** An agent in trouble: it goes in circles, or broke tests that passed. */
export const Trouble = z.strictObject({
  session: z.string(),
  kind: z.enum(['loop', 'test-regression']),
  detail: z.string(),
  at: epochMs,
});
export type Trouble = z.infer<typeof Trouble>;

export const DaemonStatus = z.strictObject({
  version: z.string(),
  pid: count,
  node: z.string(),
  home: z.string(),
  startedAt: epochMs,
  /** What a person must be told about how the daemon came up, e.g. that the database was restored. */
  notices: z.array(z.string()),
  rssBytes: count,
  learnings: count,
  proposed: count,
  queue: count,
  attention: count,
  capture: z.enum(['watching', 'back-filling', 'paused', 'off']),
  progress: CaptureProgress,
  sources: z.array(WatchedSource),
  redactions: z.record(z.string(), count),
  models: z.array(ModelState),
  index: z.strictObject({
    vectors: count,
    waiting: count,
    state: z.enum(['ready', 'building', 'lexical-only']),
  }),
  recall: z.strictObject({
    count: count,
    p50Ms: z.number(),
    p95Ms: z.number(),
    followUpRate: z.number(),
    /** Since the start: how many were looked up among recent answers, and how many were found there. */
    lookedUp: count,
    cached: count,
    /** Where the time of recent recalls went, in order. */
    stages: z.array(z.strictObject({ stage: z.string(), p50Ms: z.number(), p95Ms: z.number() })),
  }),
  databaseBytes: count,
  documentProblems: count,
  tokensSpentToday: count,
});
export type DaemonStatus = z.infer<typeof DaemonStatus>;

/** What the daemon tells subscribers as it happens. */
export const DaemonEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('learning.changed'), id: z.string(), kind: Change.shape.kind }),
  z.strictObject({
    type: z.literal('capture.moment'),
    momentId: count,
    signal: z.string(),
    agent: z.string(),
  }),
  z.strictObject({ type: z.literal('capture.progress'), progress: CaptureProgress }),
  z.strictObject({ type: z.literal('models.changed') }),
  z.strictObject({ type: z.literal('settings.changed') }),
  z.strictObject({ type: z.literal('inbox.changed') }),
  z.strictObject({ type: z.literal('outcomes.changed') }),
  z.strictObject({ type: z.literal('slots.changed'), project: z.string(), name: z.string() }),
  z.strictObject({ type: z.literal('archive.progress'), progress: ArchiveProgress }),
  /** All that was known may be other than it was. */
  z.strictObject({ type: z.literal('archive.imported'), mode: ImportMode }),
]);
export type DaemonEvent = z.infer<typeof DaemonEvent>;
