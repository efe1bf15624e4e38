import { basename } from 'node:path/posix';
import type { LoopIteration } from '#contract/loops.ts';
import type { WritableDb } from '../store/db.ts';
import { finishLoop, putIteration, putLoop } from '../store/outcomes/loops.ts';
import { findLearning } from '../store/learnings/learnings.ts';
import { recordSessionActivity } from '../store/capture/sessions.ts';
import { addReview } from '../store/outcomes/reviews.ts';
import { addUses } from '../store/outcomes/session-uses.ts';
import { setSignals } from '../store/learnings/signals.ts';
import type { Ago, Demo } from './demo.ts';
import { projectOn, type RequestOf } from './requests.ts';
import { HOUR } from '../platform/time.ts';

const UNJUDGED = 0.5;
const ALPHA = 0.3;
const AGENTS = ['claude-code', 'codex', 'claude-code', 'gemini-cli'];

interface DemoContext {
  /** The learning of a key of the demo. */
  ids: ReadonlyMap<string, string>;
  requestOf: RequestOf;
  ago: Ago;
}

/** Adds reviews and loops in the order in which they would have happened. */
export function fillOutcomes(
  db: WritableDb,
  { judged, loops }: Pick<Demo, 'judged' | 'loops'>,
  context: DemoContext,
): void {
  for (const one of judged) judge(db, one, context);
  for (const loop of loops) runLoop(db, loop, context.ids.get(loop.learning ?? '') ?? null, context.ago);
}

function judge(
  db: WritableDb,
  { key, went }: Demo['judged'][number],
  { ids, requestOf, ago }: DemoContext,
): void {
  const learningId = ids.get(key) ?? '';
  const own = findLearning(db, learningId)?.project ?? '';
  let qValue = UNJUDGED;
  for (const { daysAgo, source, result, reason } of went) {
    const project = own || projectOn(daysAgo);
    const agent = AGENTS[daysAgo % AGENTS.length] ?? '';
    const session = `demo-${basename(project)}-${daysAgo}`;
    const qBefore = qValue;
    qValue += ALPHA * ((result === 'pass' ? 1 : 0) - qValue);
    addUses(db, {
      ids: [learningId],
      session,
      via: 'start',
      agent,
      project,
      at: ago(daysAgo),
    });
    recordSessionActivity(db, {
      session,
      agent,
      project,
      at: ago(daysAgo),
      request: requestOf(session, project, daysAgo),
    });
    addReview(db, {
      at: ago(daysAgo),
      learningId,
      source,
      result,
      alpha: ALPHA,
      qBefore,
      qAfter: qValue,
      qualityStep: 0,
      traceId: null,
      session,
      reason,
    });
  }
  setSignals(db, learningId, { qValue });
}

function runLoop(
  db: WritableDb,
  { id, task, project, daysAgo, attempts }: Demo['loops'][number],
  learningId: string | null,
  ago: Ago,
): void {
  const startedAt = ago(daysAgo);
  putLoop(db, {
    id,
    task,
    project,
    verificationType: 'unit_tests',
    omega: null,
    windowPolicy: 'fifo',
    maxIterations: 10,
    startedAt,
  });
  for (const [iteration, attempt] of attempts.entries()) {
    const at = startedAt + iteration * HOUR;
    putIteration(db, { record: recordOf(id, iteration, attempt, at), flags: [] }, at);
  }
  if (learningId) finishLoop(db, id, 'completed', startedAt + attempts.length * HOUR, learningId);
}

function recordOf(
  loopId: string,
  iteration: number,
  { reward, did, errors, why, next }: Demo['loops'][number]['attempts'][number],
  at: number,
): LoopIteration['record'] {
  const earlier = Array.from({ length: iteration }, (_, index) => index);
  return {
    loop_id: loopId,
    iteration,
    timestamp: new Date(at).toISOString(),
    actor_output: { actions: [{ type: 'code_modification', description: did }], rationale: did },
    evaluator_output: {
      passed: errors === 0,
      verification_type: 'unit_tests',
      reward_signal: reward,
      errors: Array.from({ length: errors }, () => ({
        type: 'test_failure' as const,
        message: 'a case failed',
      })),
    },
    ...(why && {
      self_reflection: { reflection_text: why, actionable_insights: next ? [next] : [], confidence: 0.7 },
    }),
    memory_metadata: {
      omega_capacity: 3,
      current_memory_size: earlier.length,
      reflections_in_context: earlier,
    },
    previous_reflections_used: earlier,
  };
}
