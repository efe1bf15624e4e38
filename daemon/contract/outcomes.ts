import * as z from 'zod';
import { Learning, Note } from './entities.ts';
import { count, epochMs, path, unit } from './fields.ts';

const id = Learning.shape.id;
const line = z.string().max(400);
const text = z.string().max(100_000);

export const Verdict = z.enum(['pass', 'fail']);
export type Verdict = z.infer<typeof Verdict>;

/** How fast utility follows a review; 0 learns nothing, 1 forgets all that was before. */
const Alpha = z.number().min(0, 'alpha lies between 0 and 1').max(1, 'alpha lies between 0 and 1');

/** The folder, project and branch of the work. */
export const Where = z.strictObject({
  cwd: path.optional().describe('The folder of the work; its project and branch are used'),
  project: z.string().max(500).optional().describe('A project id, instead of the one of cwd'),
  branch: z.string().max(300).optional().describe('A branch, instead of the one checked out in cwd'),
});
export type Where = z.infer<typeof Where>;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** How memories are looked for; the numbers are those of the original, and each can be set for a call. */
export const MemoryQuery = Where.extend({
  task: z.string().trim().min(1).max(20_000).describe('The task at hand, in plain words'),
  limit: z.number().int().min(1).max(100).default(10),
  lambda: unit.default(0.5).describe('Weight of utility against similarity; 0 is similarity alone'),
  mmrLambda: unit.default(0.7).describe('Weight of the score against novelty; 1 is the score alone'),
  metadataFilter: z
    .record(z.string().max(200), scalar)
    .optional()
    .describe('Only memories whose metadata has all of these; a value matches a list that holds it'),
  similarityThreshold: unit
    .optional()
    .describe('Minimum similarity; by default the setting REFLECT_MEMORY_SIMILARITY_THRESHOLD'),
  global: z.boolean().optional().describe('Search every project; the default without cwd and project'),
  session: z
    .string()
    .max(200)
    .optional()
    .describe('The agent session that asks; its outcome then reviews the memories automatically'),
});

/** A learning as an agent that works on a task sees it. */
export const Memory = z.strictObject({
  id,
  task: z.string(),
  reflection: z.string(),
  /** True if its task succeeded; null if unknown. */
  success: z.boolean().nullable(),
  qValue: unit,
  similarity: z.number(),
  score: z.number(),
  summary: z.string(),
  keyMistake: z.string(),
  correctAction: z.string(),
  applicableTools: z.array(z.string()),
  guidance: z.string(),
  toolsUsed: z.array(z.string()),
  metadata: Note.shape.metadata.unwrap(),
});
export type Memory = z.infer<typeof Memory>;

export const MemoriesFound = z.strictObject({
  memories: z.array(Memory),
  /** Parts of the search that did not run and why, e.g. missing weights. */
  notices: z.array(z.string()),
});

/** A lesson the agent words itself, with how its task ended. */
export const NewMemory = Where.extend({
  task: z.string().trim().min(1).max(20_000),
  result: Verdict,
  summary: z.string().trim().min(1).max(2_000).describe('The past task in one sentence'),
  guidance: z.string().trim().min(1).max(20_000).describe('What to do next time, in a paragraph'),
  keyMistake: text.default('').describe('The mistake or omission'),
  correctAction: text.default('').describe('The correct action'),
  applicableTools: z.array(line).max(50).default([]).describe('The tools the lesson is about'),
  toolsUsed: z.array(line).max(200).default([]),
  metadata: Note.shape.metadata,
  session: z.string().max(200).default(''),
  agent: z.string().max(60).default('agent').describe('Who wrote it'),
});
export type NewMemory = z.infer<typeof NewMemory>;

/** A message as model providers write it: text or parts, and perhaps calls of tools. */
export const Message = z.looseObject({ role: z.string().max(60), content: z.unknown() });
export type Message = z.infer<typeof Message>;

export const ReviewInput = z.strictObject({
  result: Verdict,
  alpha: Alpha.optional().describe(
    'How much this review counts; the default is the setting Q_LEARNING_ALPHA',
  ),
  feedback: z.string().max(20_000).default('').describe('Comment of the reviewer'),
});

export const NewTrace = Where.extend({
  task: z.string().trim().min(1).max(20_000),
  trajectory: z.array(Message).max(2_000).default([]),
  finalResponse: text.default(''),
  retrievedMemoryIds: z
    .array(z.string().min(1).max(200))
    .max(500)
    .default([])
    .describe('The memories the run used; only these change with its review'),
  metadata: Note.shape.metadata,
  session: z.string().max(200).default(''),
  review: ReviewInput.optional().describe('The result, if already known'),
  reviewResult: Verdict.optional().describe('The result alone, instead of a review'),
  feedback: ReviewInput.shape.feedback.describe('Comment on that result'),
  alpha: Alpha.optional().describe('How much that result counts'),
  actor: z
    .enum(['agent', 'person'])
    .default('person')
    .describe(
      'Who reviews it. At most five runs a day count for a learning, at most three of them by agents',
    ),
});

/** One learning judged by one outcome; a learning's reviews, in order, are the history of its utility. */
export const Review = z.strictObject({
  id: count,
  at: epochMs,
  learningId: z.string(),
  title: z.string(),
  /** The source of the review: a reviewed trace, the tests of a session, or a person's correction. */
  source: z.enum(['trace', 'tests-fixed', 'tests-broke', 'correction', 'feedback']),
  result: Verdict,
  alpha: unit,
  qBefore: unit,
  qAfter: unit,
  traceId: z.string().nullable(),
  session: z.string(),
  reason: z.string(),
  /** When a person undid it; it no longer counts. */
  undoneAt: epochMs.nullable(),
});
export type Review = z.infer<typeof Review>;

/** One run of an agent. Its trajectory is left out of lists. */
export const Trace = z.strictObject({
  id: z.string(),
  at: epochMs,
  task: z.string(),
  finalResponse: z.string(),
  retrievedMemoryIds: z.array(z.string()),
  toolsUsed: z.array(z.string()),
  metadata: Note.shape.metadata.unwrap(),
  project: z.string(),
  branch: z.string().nullable(),
  session: z.string(),
  result: Verdict.nullable(),
  feedback: z.string(),
  alpha: unit.nullable(),
  reviewedAt: epochMs.nullable(),
  /** The learning written from it; null before its review, and while a model still writes. */
  memoryId: z.string().nullable(),
  /** The reason no learning was written from it; '' if one was or will be. */
  problem: z.string(),
});
export type Trace = z.infer<typeof Trace>;

const TASK_OUTCOMES = ['success', 'partial', 'failed'] as const;
export const TaskOutcome = z.enum(TASK_OUTCOMES);
export type TaskOutcome = z.infer<typeof TaskOutcome>;

/** A finished task, its outcome and what it taught. Stored as a learning: searched, edited and undone like one. */
export const Experience = z.strictObject({
  id,
  task: z.string(),
  outcome: TaskOutcome,
  category: z.string(),
  quality: z.number().int().min(1).max(5),
  uses: count,
  successes: count,
  /** Of its uses, how many went well; null before there are enough to tell. */
  confidence: unit.nullable(),
  lessons: z.string(),
  keywords: z.array(z.string()),
  trace: z.string(),
  project: z.string(),
  deprecated: z.boolean(),
  at: epochMs,
});
export type Experience = z.infer<typeof Experience>;

export const NewExperience = Where.extend({
  task: z.string().trim().min(1).max(20_000),
  outcome: TaskOutcome,
  category: z.string().trim().min(1).max(100).default('general'),
  quality: z.number().int().min(1).max(5).default(3),
  lessons: z.string().trim().min(1).max(20_000),
  keywords: z.array(line).max(40).default([]),
  trace: text.default('').describe('The steps taken'),
  session: z.string().max(200).default(''),
});
export type NewExperience = z.infer<typeof NewExperience>;

/** An experience with why it stands where it does. */
export const RankedExperience = Experience.extend({
  score: z.number(),
  decay: unit,
  /** `⚠️` for a failure, to be avoided; `⚡` when others of its category ended otherwise. */
  flags: z.array(z.enum(['⚠️', '⚡'])),
});
export type RankedExperience = z.infer<typeof RankedExperience>;

export const FACT_CATEGORIES = ['preference', 'personal', 'project', 'general'] as const;
export const Fact = z.strictObject({
  id,
  category: z.enum(FACT_CATEGORIES),
  text: z.string(),
  project: z.string(),
  at: epochMs,
});
export type Fact = z.infer<typeof Fact>;

export const HistoryEntry = z.strictObject({
  id: count,
  at: epochMs,
  kind: z.enum(['event', 'experience', 'fact', 'trace', 'review', 'loop', 'upkeep']),
  project: z.string(),
  session: z.string(),
  text: z.string(),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;
