import * as z from 'zod';
import { count, epochMs, learningId, unit } from './fields.ts';

/** The closed set of relation types; the first eight are causal (S2). */
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

/** The origin of a learning, down to the bytes of the transcript. */
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

/** Counters that change with use. They are in the database only, so a file changes only with its meaning (S9). */
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
  'candidate',
  'proposed',
  'superseded',
  'reverted',
  'rejected',
  'archived',
  'forgotten',
] as const;
export const Status = z.enum(STATUSES);
export type Status = z.infer<typeof Status>;

/** True for a note that a person has to decide on, or has rejected: no agent gets it in any way. */
export const isKeptFromAgents = ({ status }: { status: Status }): boolean =>
  status === 'candidate' || status === 'proposed' || status === 'rejected';

const line = z.string().max(400);
const text = z.string().max(100_000);

/** The content of a note, as a person or a writer decides it and its markdown file stores it. */
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
  /** The branch whose unfinished work it speaks of, until that is merged; null when it holds for the whole project. */
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
  /** Front matter of other programs: kept, and written back as it was. Absent when there is none. */
  frontMatter: z.record(z.string(), z.unknown()).optional(),
  forgetAfter: epochMs.nullable().default(null),
  validated: z.boolean().default(true),
  unverifiedRefs: z.array(line).default([]),
  provenance: Provenance.prefault({}),
  entities: z.array(Entity).default([]),
  relations: z.array(Relation).default([]),
});
export type Note = z.infer<typeof Note>;

/** The long texts of a note, in the order they are read. */
export const TEXT_FIELDS = [
  'rule',
  'problem',
  'rootCause',
  'fix',
  'keyInsight',
  'summary',
  'task',
  'keyMistake',
  'correctAction',
  'guidance',
] as const satisfies ReadonlyArray<keyof Note>;

/** All that a note says in words. The body is last, because it may be long. */
export const NOTE_TEXTS = ['title', ...TEXT_FIELDS, 'body'] as const;
export type NoteInput = z.input<typeof Note>;

// `.partial()` would keep the defaults, and an edit of one field would blank all others.
const withoutDefault = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault ? (schema.unwrap() as z.ZodType) : schema;
const patchShape = Object.fromEntries(
  Object.entries(Note.shape).map(([field, schema]) => [field, withoutDefault(schema).optional()]),
);

/** Fields of a note to change; absent fields stay as they are. */
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
  /** The reason its file cannot be read; the learning then keeps its last good version. */
  documentProblem: z.string().nullable(),
});
export type Learning = z.infer<typeof Learning>;

/** A learning in a list, without its body. */
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
}).extend({
  agent: z.string(),
  /** Who published it to a space, as `acme/ana`; empty for an own note. */
  colleague: z.string(),
  proofCount: count,
  recallCount: count,
  snippet: z.string(),
});
export type LearningRow = z.infer<typeof LearningRow>;

/** Every kind of change, with its name for people. */
export const CHANGE_NAMES = {
  create: 'created',
  update: 'edited',
  prove: 'confirmed',
  promote: 'kept as a learning',
  archive: 'archived',
  restore: 'restored',
  supersede: 'superseded',
  revert: 'reverted',
  merge: 'merged',
  move: 'moved',
  undo: 'undone',
};
type ChangeKind = keyof typeof CHANGE_NAMES;

/** One change: who, when, why, and the previous state, so that it can be undone (S6). */
export const Change = z.strictObject({
  id: count,
  at: epochMs,
  actor: z.string(),
  kind: z.enum(Object.keys(CHANGE_NAMES) as ChangeKind[]),
  learningId: z.string(),
  reason: z.string(),
  /** The source of the evidence, if any; the same source proves a learning only once. */
  source: z.string(),
  /** The first change of its batch; null if it is the first or the only one. A batch is undone as a whole. */
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

/** Two notes that say nearly the same (C1) or seem to contradict each other (SG1); a person decides. */
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
