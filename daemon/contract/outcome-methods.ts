import * as z from 'zod';
import { count, learningId as id, limit } from './fields.ts';
import {
  FailureCategory,
  LearningReport,
  Loop,
  LoopId,
  LoopIteration,
  NewAttempt,
  Omega,
  ReflectionFlag,
  ReflectionWindow,
  SelfReflection,
  VerificationType,
  WindowPolicy,
} from './loops.ts';
import { method } from './method.ts';
import {
  Experience,
  Fact,
  HistoryEntry,
  MemoriesFound,
  Memory,
  MemoryQuery,
  NewExperience,
  NewMemory,
  NewTrace,
  RankedExperience,
  Review,
  ReviewInput,
  Trace,
  Where,
} from './outcomes.ts';

const anyId = z.string().min(1).max(200);
const words = z.string().trim().min(1).max(4_000);

/** What is learned from how things end: memories and reviews, experiences, loops of attempts. Part of the one table of methods. */
export const OUTCOME_METHODS = {
  'memories.query': method(
    'Before a task: memories of similar ones, by similarity and by how well they served',
    MemoryQuery,
    MemoriesFound,
  ),
  'memories.augment': method(
    'The task with its memories as one text, ready to be given to a model; the task alone when there are none',
    MemoryQuery,
    MemoriesFound.extend({ augmentedTask: z.string() }),
  ),
  'memories.create': method(
    'After a task: keep a lesson in your own words, with how the task ended',
    NewMemory,
    z.strictObject({ memory: Memory, created: z.boolean() }),
  ),
  'memories.history': method(
    'How the utility of a memory came about, oldest first',
    z.strictObject({ id }),
    z.array(Review),
  ),

  'traces.create': method(
    'Keep what a run did and which memories it was given; with a review, judge it at once',
    NewTrace,
    z.strictObject({ trace: Trace, reviews: z.array(Review) }),
  ),
  'traces.review': method(
    'Say how a run ended: the memories it was given learn from it, and a new one is written of it',
    ReviewInput.extend({ id: anyId }),
    z.strictObject({ trace: Trace, reviews: z.array(Review) }),
  ),
  'traces.get': method(
    'One run in full',
    z.strictObject({ id: anyId }),
    z.strictObject({ trace: Trace, trajectory: z.array(z.unknown()), reviews: z.array(Review) }),
  ),
  'traces.list': method(
    'Runs, newest first',
    z.strictObject({ unreviewed: z.boolean().optional(), limit: limit.default(100) }),
    z.array(Trace),
  ),
  'reviews.list': method(
    'Reviews of learnings, newest first: by people, by tests and by corrections',
    z.strictObject({
      session: z.string().max(200).optional(),
      source: Review.shape.source.optional(),
      limit: limit.default(100),
    }),
    z.array(Review),
    { redacts: false },
  ),
  'reviews.undo': method(
    'Take a review back: the learning stands as if it had not been judged by it; or give it again',
    z.strictObject({ id: z.int(), undone: z.boolean().default(true) }),
    Review,
  ),

  'experience.add': method(
    'Keep what a task taught',
    NewExperience,
    z.strictObject({ experience: Experience, created: z.boolean() }),
  ),
  'experience.query': method(
    'What similar tasks taught, best first, with warnings of failures and conflicts marked',
    Where.extend({
      task: words,
      limit: z.number().int().min(1).max(50).default(5),
      session: z.string().max(200).optional(),
    }),
    z.strictObject({
      experiences: z.array(RankedExperience),
      text: z.string(),
      notices: z.array(z.string()),
    }),
  ),
  'experience.list': method(
    'Every experience, newest first',
    z.strictObject({
      category: z.string().max(100).optional(),
      project: z.string().max(500).optional(),
      deprecated: z.boolean().optional(),
      limit: limit.default(100),
    }),
    z.array(Experience),
    { redacts: false },
  ),
  'experience.feedback': method(
    'Say whether an experience helped; from its third use on its quality follows',
    z.strictObject({ id, helped: z.boolean(), reason: z.string().max(500).default('') }),
    Experience,
  ),
  'experience.deprecate': method(
    'Mark an experience as no longer true',
    z.strictObject({ id, reason: z.string().max(500).default('') }),
    Experience,
  ),
  'experience.cleanup': method(
    'Forget experiences that are out of date or never helped; each can be undone',
    z.strictObject({ dryRun: z.boolean().default(false) }),
    z.strictObject({ forgotten: z.array(z.strictObject({ id, task: z.string(), why: z.string() })) }),
  ),
  'experience.merge': method(
    'Propose one principle for every category with at least three experiences of its own',
    z.strictObject({ dryRun: z.boolean().default(false) }),
    z.strictObject({
      principles: z.array(
        z.strictObject({
          id: id.nullable(),
          category: z.string(),
          project: z.string(),
          title: z.string(),
          sources: z.array(id),
        }),
      ),
    }),
  ),
  'facts.add': method(
    'Keep something that every session is told',
    Where.extend({
      text: z.string().trim().min(1).max(400),
      category: Fact.shape.category.default('general'),
      global: z.boolean().optional(),
    }),
    Fact,
  ),
  'facts.list': method(
    'What every session is told, by category',
    Where,
    z.array(Fact.extend({ told: z.boolean() })),
  ),
  'history.append': method(
    'Add to the log of what happened',
    Where.extend({ text: words, session: z.string().max(200).default('') }),
    HistoryEntry,
  ),
  'history.search': method(
    'What happened, newest first; all the words must occur',
    z.strictObject({
      query: z.string().max(500).default(''),
      project: z.string().max(500).optional(),
      limit: limit.default(50),
    }),
    z.array(HistoryEntry),
    { redacts: false },
  ),

  'loops.start': method(
    'Begin a loop of attempts at one task',
    Where.extend({
      task: words,
      verificationType: VerificationType.default('combined'),
      id: LoopId.optional(),
      omega: Omega.optional().describe(
        'How many reflections an attempt is told; without it, as many as the kind of check and the variety of failures ask for',
      ),
      windowPolicy: WindowPolicy.default('fifo'),
      maxIterations: z.number().int().min(1).max(1_000).default(10),
    }),
    Loop,
  ),
  'loops.list': method(
    'Loops, newest first',
    z.strictObject({ status: Loop.shape.status.optional(), limit: limit.default(100) }),
    z.array(Loop),
  ),
  'loops.get': method(
    'A loop with every attempt',
    z.strictObject({ id: LoopId }),
    z.strictObject({ loop: Loop, iterations: z.array(LoopIteration) }),
  ),
  'loops.abort': method(
    'End a loop that has not passed',
    z.strictObject({ id: LoopId, reason: z.string().max(500).default('') }),
    Loop,
  ),
  'reflections.append': method(
    'Keep an attempt: what was done, how it was judged and, if it failed, why. The reward is calculated unless given',
    NewAttempt,
    LoopIteration.extend({ loop: Loop }),
  ),
  'reflections.window': method(
    'The reflections that the next attempt is told',
    z.strictObject({ loopId: LoopId }),
    ReflectionWindow,
  ),
  'reflections.context': method(
    'The text that the next attempt is given: the task, what was learned from the attempts before, and what failed last',
    z.strictObject({ loopId: LoopId, maxTokens: z.number().int().min(50).max(100_000).default(2_000) }),
    z.strictObject({ text: z.string(), tokens: count, iterations: z.array(count) }),
  ),
  'reflections.search': method(
    'Reflections on similar failures, of every loop',
    z.strictObject({
      failureCategory: z.union([FailureCategory, z.array(FailureCategory).min(1)]).optional(),
      minConfidence: z.number().min(0).max(1).optional(),
      keywords: z
        .array(z.string().trim().min(1).max(100))
        .max(50)
        .optional()
        .describe('Any of them in the task or the reflection; more is better'),
      limit: limit.max(100).default(10),
    }),
    z.array(
      z.strictObject({
        loopId: LoopId,
        iteration: count,
        task: z.string(),
        at: count,
        reflection: SelfReflection,
        flags: z.array(ReflectionFlag),
        matched: z.array(z.string()),
        /** Whether its loop passed in the end. */
        solved: z.boolean(),
      }),
    ),
    { redacts: false },
  ),
  'reflections.analyze': method(
    'How a loop learned, or all of them: curves, improvement, reuse',
    z.strictObject({ loopId: LoopId.optional() }),
    LearningReport,
  ),
};
