import * as z from 'zod';
import { count, learningId as id, limit, path } from './fields.ts';
import {
  CheckRun,
  EvaluatorOutput,
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

/** Memories and reviews, experiences, and loops of attempts: all that learns from results. */
export const OUTCOME_METHODS = {
  'memories.query': method(
    'Before a task: search memories of similar tasks, ranked by similarity and utility',
    MemoryQuery,
    MemoriesFound,
  ),
  'memories.augment': method(
    'Get the task and its memories as one prompt; the task alone when there are no memories',
    MemoryQuery,
    MemoriesFound.extend({ augmentedTask: z.string() }),
  ),
  'memories.create': method(
    'After a task: save a lesson in your own words, with the result',
    NewMemory,
    z.strictObject({ memory: Memory, created: z.boolean() }),
  ),
  'memories.history': method(
    'List the reviews behind the utility of a memory, oldest first',
    z.strictObject({ id }),
    z.array(Review),
  ),

  'traces.create': method(
    'Record a run and the memories it used; with a review, apply it at once',
    NewTrace,
    z.strictObject({ trace: Trace, reviews: z.array(Review) }),
  ),
  'traces.review': method(
    'Review a run: the utility of its memories is updated, and a new memory is written from it',
    ReviewInput.extend({ id: anyId }),
    z.strictObject({ trace: Trace, reviews: z.array(Review) }),
  ),
  'traces.get': method(
    'Get one run',
    z.strictObject({ id: anyId }),
    z.strictObject({ trace: Trace, trajectory: z.array(z.unknown()), reviews: z.array(Review) }),
  ),
  'traces.list': method(
    'List runs, newest first',
    z.strictObject({ unreviewed: z.boolean().optional(), limit: limit.default(100) }),
    z.array(Trace),
  ),
  'reviews.list': method(
    'List reviews of learnings by people, tests and corrections, newest first',
    z.strictObject({
      session: z.string().max(200).optional(),
      source: Review.shape.source.optional(),
      limit: limit.default(100),
    }),
    z.array(Review),
    { redacts: false },
  ),
  'reviews.undo': method(
    'Undo a review, as if it had never been made; or redo it',
    z.strictObject({ id: z.int(), undone: z.boolean().default(true) }),
    Review,
  ),

  'experience.add': method(
    'Add an experience: what a task taught',
    NewExperience,
    z.strictObject({ experience: Experience, created: z.boolean() }),
  ),
  'experience.query': method(
    'Search experiences of similar tasks, best first, with failures and conflicts marked',
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
    'List experiences, newest first',
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
    'Report whether an experience helped; its quality follows from the third use on',
    z.strictObject({ id, helped: z.boolean(), reason: z.string().max(500).default('') }),
    Experience,
  ),
  'experience.deprecate': method(
    'Mark an experience as outdated',
    z.strictObject({ id, reason: z.string().max(500).default('') }),
    Experience,
  ),
  'experience.cleanup': method(
    'Forget experiences that are outdated or never helped; each can be undone',
    z.strictObject({ dryRun: z.boolean().default(false) }),
    z.strictObject({ forgotten: z.array(z.strictObject({ id, task: z.string(), why: z.string() })) }),
  ),
  'experience.merge': method(
    'Propose one principle for every category with at least three experiences',
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
    'Add a fact that is injected into every session',
    Where.extend({
      text: z.string().trim().min(1).max(400),
      category: Fact.shape.category.default('general'),
      global: z.boolean().optional(),
    }),
    Fact,
  ),
  'facts.list': method(
    'List the facts injected into every session, by category',
    Where,
    z.array(Fact.extend({ injected: z.boolean() })),
  ),
  'history.append': method(
    'Append to the history log',
    Where.extend({ text: words, session: z.string().max(200).default('') }),
    HistoryEntry,
  ),
  'history.search': method(
    'Search the history log for entries with all words, newest first',
    z.strictObject({
      query: z.string().max(500).default(''),
      project: z.string().max(500).optional(),
      limit: limit.default(50),
    }),
    z.array(HistoryEntry),
    { redacts: false },
  ),

  'loops.start': method(
    'Start a loop of attempts at one task',
    Where.extend({
      task: words,
      verificationType: VerificationType.default('combined'),
      id: LoopId.optional(),
      omega: Omega.optional().describe(
        'How many reflections are injected into an attempt; by default it depends on the verification and on how varied the failures are',
      ),
      windowPolicy: WindowPolicy.default('fifo'),
      maxIterations: z.number().int().min(1).max(1_000).default(10),
    }),
    Loop,
  ),
  'loops.list': method(
    'List loops, newest first',
    z.strictObject({ status: Loop.shape.status.optional(), limit: limit.default(100) }),
    z.array(Loop),
  ),
  'loops.get': method(
    'Get a loop with all attempts',
    z.strictObject({ id: LoopId }),
    z.strictObject({ loop: Loop, iterations: z.array(LoopIteration) }),
  ),
  'loops.abort': method(
    'Abort a loop that has not passed',
    z.strictObject({ id: LoopId, reason: z.string().max(500).default('') }),
    Loop,
  ),
  'loops.import': method(
    'Read the reflections in .aiwg/ralph/reflections of a project as loops; known ones are skipped',
    z.strictObject({ cwd: path }),
    z.strictObject({
      loops: z.array(LoopId),
      reflections: count,
      known: count,
      problems: z.array(z.strictObject({ file: z.string(), problem: z.string() })),
    }),
  ),
  'loops.export': method(
    'Write the reflections of a loop to .aiwg/ralph/reflections of a project',
    z.strictObject({ id: LoopId, cwd: path }),
    z.strictObject({ files: z.array(z.string()) }),
  ),
  'reflections.evaluate': method(
    'Turn the exit codes and reports of checks (JUnit XML, TAP, Vitest or Jest JSON, compiler errors) into the evaluator_output of an attempt; runs nothing',
    z.strictObject({
      checks: z.array(CheckRun).min(1).max(20),
      verificationType: VerificationType.optional(),
    }),
    EvaluatorOutput,
    { redacts: false },
  ),
  'reflections.append': method(
    'Record an attempt: the actions, their verification and, if it failed, why; without a reflection, the writer’s model or the errors supply one. The reward is calculated unless you set it',
    NewAttempt,
    LoopIteration.extend({ loop: Loop }),
    { long: true },
  ),
  'reflections.window': method(
    'Get the reflections for the next attempt',
    z.strictObject({ loopId: LoopId }),
    ReflectionWindow,
  ),
  'reflections.context': method(
    'Get the prompt for the next attempt: the task, the lessons of earlier attempts, and the latest failure',
    z.strictObject({ loopId: LoopId, maxTokens: z.number().int().min(50).max(100_000).default(2_000) }),
    z.strictObject({ text: z.string(), tokens: count, iterations: z.array(count) }),
  ),
  'reflections.search': method(
    'Search reflections on similar failures in all loops',
    z.strictObject({
      failureCategory: z.union([FailureCategory, z.array(FailureCategory).min(1)]).optional(),
      minConfidence: z.number().min(0).max(1).optional(),
      keywords: z
        .array(z.string().trim().min(1).max(100))
        .max(50)
        .optional()
        .describe('Match any of these in the task or the reflection; more matches rank higher'),
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
        /** Its loop passed in the end. */
        solved: z.boolean(),
      }),
    ),
    { redacts: false },
  ),
  'reflections.analyze': method(
    'Analyze how one loop or all loops improved: learning curves, improvement, reuse',
    z.strictObject({ loopId: LoopId.optional() }),
    LearningReport,
  ),
};
