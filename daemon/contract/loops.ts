import * as z from 'zod';
import { count, epochMs, unit } from './fields.ts';

const short = z.string().max(2_000);
const long = z.string().max(100_000);
const some = z.string().regex(/\S/, 'it is empty');

export const LoopId = z
  .string()
  .regex(/^ralph-[a-z0-9-]+$/, 'a loop id is ralph- followed by lower-case letters, digits and -')
  .max(120);
const iteration = z.number().int().min(0).max(100_000);
const timestamp = z.iso.datetime({ offset: true });

const ACTION_TYPES = [
  'code_modification',
  'file_creation',
  'file_deletion',
  'test_execution',
  'command_execution',
  'api_call',
  'other',
] as const;
const VERIFICATION_TYPES = [
  'unit_tests',
  'integration_tests',
  'type_check',
  'lint',
  'compilation',
  'heuristic',
  'external_api',
  'manual_review',
  'combined',
] as const;
const ERROR_TYPES = [
  'syntax_error',
  'type_error',
  'test_failure',
  'lint_error',
  'runtime_error',
  'logic_error',
  'timeout',
  'other',
] as const;
const FAILURE_CATEGORIES = [
  'hallucination',
  'inefficient_planning',
  'incorrect_assumption',
  'incomplete_implementation',
  'edge_case_miss',
  'integration_error',
  'configuration_error',
  'logic_error',
  'other',
] as const;
export const VerificationType = z.enum(VERIFICATION_TYPES);
export type VerificationType = z.infer<typeof VerificationType>;
export const FailureCategory = z.enum(FAILURE_CATEGORIES);
export type FailureCategory = z.infer<typeof FailureCategory>;
export const WindowPolicy = z.enum(['fifo', 'recency', 'relevance_weighted']);
export type WindowPolicy = z.infer<typeof WindowPolicy>;
export const Omega = z.number().int().min(1).max(10);

const changes = z.strictObject({
  additions: count.optional(),
  deletions: count.optional(),
  diff: long.optional(),
});

/** The actions of an attempt. */
const ActorOutput = z.strictObject({
  actions: z
    .array(
      z.strictObject({
        type: z.enum(ACTION_TYPES),
        description: some.max(10_000),
        file_path: short.optional(),
        changes: changes.optional(),
        command: long.optional(),
        timestamp: timestamp.optional(),
      }),
    )
    .max(1_000),
  rationale: long,
  strategy: long.optional(),
  files_modified: z.array(short).max(10_000).optional(),
  total_changes: changes.omit({ diff: true }).extend({ files: count.optional() }).optional(),
});

/** The verification of an attempt, by tools rather than by the agent itself. */
export const EvaluatorOutput = z.strictObject({
  passed: z.boolean(),
  verification_type: VerificationType,
  results: z
    .array(
      z.strictObject({
        tool: some.max(400),
        status: z.enum(['pass', 'fail', 'error', 'skip']),
        exit_code: z.number().int().optional(),
        stdout: long.optional(),
        stderr: long.optional(),
        duration_ms: z.number().nonnegative().optional(),
      }),
    )
    .max(1_000)
    .optional(),
  errors: z
    .array(
      z.strictObject({
        type: z.enum(ERROR_TYPES),
        message: some.max(20_000),
        file: short.optional(),
        line: count.optional(),
        column: count.optional(),
        stack_trace: long.optional(),
        severity: z.enum(['error', 'warning', 'info']).optional(),
        rule: short.optional(),
      }),
    )
    .max(10_000)
    .optional(),
  reward_signal: unit.optional(),
  metrics: z.record(z.string().max(200), z.number()).optional(),
});
export type EvaluatorOutput = z.infer<typeof EvaluatorOutput>;

/** A check that was run: a command with its exit code, and a test report if it wrote one. */
export const CheckRun = z.strictObject({
  tool: some.max(400).describe('The command, e.g. npm test'),
  exitCode: z.number().int(),
  stdout: z.string().max(1_000_000).default(''),
  stderr: z.string().max(1_000_000).default(''),
  durationMs: z.number().nonnegative().optional(),
  report: z
    .strictObject({
      format: z.enum(['auto', 'junit', 'tap', 'vitest']).default('auto'),
      text: z.string().max(3_000_000),
    })
    .optional()
    .describe('JUnit XML, TAP, or JSON of Vitest or Jest; by default the printed output is read'),
});
export type CheckRun = z.infer<typeof CheckRun>;

/** The agent's own analysis of a failure, and its next steps. */
export const SelfReflection = z.strictObject({
  reflection_text: some.max(20_000),
  credit_assignment: z
    .strictObject({
      failing_action_indices: z.array(count).max(1_000).optional(),
      root_cause: z.string().max(20_000).optional(),
      failure_category: FailureCategory.optional(),
    })
    .optional(),
  causal_reasoning: long.optional(),
  actionable_insights: z.array(short).max(100).optional(),
  lessons_learned: z.array(short).max(100).optional(),
  confidence: unit.optional(),
  related_reflections: z.array(iteration).max(1_000).optional(),
});
export type SelfReflection = z.infer<typeof SelfReflection>;

const MemoryMetadata = z.strictObject({
  omega_capacity: Omega,
  current_memory_size: count,
  reflections_in_context: z.array(iteration).optional(),
  window_policy: WindowPolicy.optional(),
  total_reflections_generated: count.optional(),
});

/** One failed attempt as it is kept. The JSON schema beside the loops is made from this. */
export const ReflectionMemory = z.strictObject({
  loop_id: LoopId,
  iteration,
  timestamp,
  actor_output: ActorOutput,
  evaluator_output: EvaluatorOutput,
  self_reflection: SelfReflection,
  memory_metadata: MemoryMetadata,
  context_injected: long.optional(),
  previous_reflections_used: z.array(iteration).max(1_000).optional(),
  performance_delta: z
    .strictObject({
      reward_change: z.number().optional(),
      error_count_change: z.number().int().optional(),
      is_improvement: z.boolean().optional(),
    })
    .optional(),
  notes: long.optional(),
});
export type ReflectionMemory = z.infer<typeof ReflectionMemory>;

/** An attempt, failed or not: one that passed is not reflected on. */
export const Attempt = ReflectionMemory.partial({ self_reflection: true });
export type Attempt = z.infer<typeof Attempt>;

/** An attempt as it is submitted: fields the daemon can compute may be left out. */
export const NewAttempt = Attempt.partial({ iteration: true, timestamp: true, memory_metadata: true });
export type NewAttempt = z.infer<typeof NewAttempt>;

/** Weaknesses of a reflection. */
export const ReflectionFlag = z.enum([
  'too-short',
  'no-credit-assignment',
  'no-actionable-insight',
  'repeats-the-last',
  'generic-advice',
  'unsure-and-no-better',
]);
export type ReflectionFlag = z.infer<typeof ReflectionFlag>;

export const Loop = z.strictObject({
  id: LoopId,
  task: z.string(),
  verificationType: VerificationType,
  /** The fixed number of reflections injected into an attempt; null if the daemon decides. */
  omega: Omega.nullable(),
  windowPolicy: WindowPolicy,
  maxIterations: count,
  project: z.string(),
  status: z.enum(['running', 'completed', 'aborted']),
  startedAt: epochMs,
  finishedAt: epochMs.nullable(),
  iterations: count,
  lastReward: unit.nullable(),
  /** The learning created from it once it passed. */
  learningId: z.string().nullable(),
});
export type Loop = z.infer<typeof Loop>;

export const LoopIteration = z.strictObject({ record: Attempt, flags: z.array(ReflectionFlag) });
export type LoopIteration = z.infer<typeof LoopIteration>;

export const LoopAnalysis = z.strictObject({
  loopId: LoopId,
  task: z.string(),
  status: Loop.shape.status,
  iterations: count,
  /** The reward and the errors of each attempt. */
  learningCurve: z.array(
    z.strictObject({
      iteration,
      reward: unit,
      errors: count,
      passed: z.boolean(),
      isImprovement: z.boolean(),
    }),
  ),
  /** Reward gained per attempt. */
  learningRate: z.number(),
  /** From the first reward to the best. */
  improvement: z.number(),
  breakthroughs: z.array(iteration),
  /** How many attempts it took; null while it has not passed. */
  timeToSuccess: count.nullable(),
  failureCategories: z.record(z.string(), count),
  lessons: count,
  averageConfidence: unit.nullable(),
  /** Of the attempts that could have used an earlier reflection, how many did. */
  reuseRate: unit,
  flagged: count,
});
export type LoopAnalysis = z.infer<typeof LoopAnalysis>;

export const LearningReport = z.strictObject({
  loops: z.array(LoopAnalysis),
  successRate: unit,
  averageLearningRate: z.number(),
  averageIterations: z.number(),
  reuseRate: unit,
  failureCategories: z.record(z.string(), count),
  /** Lessons that more than one loop had to learn. */
  repeatedLessons: z.array(z.strictObject({ lesson: z.string(), loops: z.array(LoopId) })),
});
export type LearningReport = z.infer<typeof LearningReport>;

export const ReflectionWindow = z.strictObject({
  loopId: LoopId,
  omega: Omega,
  /** The reason for this number. */
  why: z.string(),
  policy: WindowPolicy,
  reflections: z.array(
    z.strictObject({ iteration, reflection: SelfReflection, flags: z.array(ReflectionFlag) }),
  ),
});
export type ReflectionWindow = z.infer<typeof ReflectionWindow>;
