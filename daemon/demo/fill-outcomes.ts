import { basename } from 'node:path/posix';
import type { LoopIteration } from '#contract/loops.ts';
import type { WritableDb } from '../store/db.ts';
import { finishLoop, putIteration, putLoop } from '../store/outcomes/loops.ts';
import { findLearning } from '../store/learnings/learnings.ts';
import { seenSession } from '../store/capture/known-sessions.ts';
import { addReview } from '../store/outcomes/reviews.ts';
import { addUses } from '../store/outcomes/session-uses.ts';
import { setSignals } from '../store/learnings/signals.ts';
import type { Ago, Demo } from './demo.ts';
import { HOUR } from '../platform/time.ts';

const UNJUDGED = 0.5;
const ALPHA = 0.3;
/** By project, the requests that the demo's sessions began with. */
const REQUESTS: Record<string, readonly string[]> = {
  'github.com/acme/billing-svc': [
    'Add a timeout to the payment client and retry once',
    'Why does the checkout test fail on CI only?',
    'Move the invoice export to the new ledger tables',
    'Write a migration for the idempotency keys',
    'Review the error handling of the webhook consumer',
    'Round the VAT of partial refunds once',
    'Speed up the integration tests of the billing service',
    'Show the payout date in the account’s time zone',
    'Find out why two invoices got the same number',
    'Add a dry run to the reconciliation job',
    'Replace the polling of the queue by a listener',
  ],
  'github.com/acme/edge-gateway': [
    'Make the edge proxy reload without dropping requests',
    'Why do streamed answers arrive all at once?',
    'Reject service tokens that have expired',
    'Log the upstream of every 502',
    'Drain connections before the pod stops',
    'Reload certificates without a restart',
    'Limit the requests of one client',
    'Find the task that blocks the runtime',
    'Send the security headers on error pages, too',
    'Pass the real client address to the services',
    'Split the health check into live and ready',
  ],
};
const PROJECTS = Object.keys(REQUESTS);

/** Adds reviews and loops in the order in which they would have happened; `ids` maps a demo key to its learning. */
export function fillOutcomes(
  db: WritableDb,
  { judged, loops }: Pick<Demo, 'judged' | 'loops'>,
  ids: ReadonlyMap<string, string>,
  ago: Ago,
): void {
  for (const one of judged) judge(db, one, ids.get(one.key) ?? '', ago);
  for (const loop of loops) runLoop(db, loop, ids.get(loop.learning ?? '') ?? null, ago);
}

function judge(db: WritableDb, { went }: Demo['judged'][number], learningId: string, ago: Ago): void {
  const own = findLearning(db, learningId)?.project ?? '';
  let qValue = UNJUDGED;
  for (const { daysAgo, source, result, reason } of went) {
    const project = own || (PROJECTS[daysAgo % PROJECTS.length] ?? '');
    const requests = REQUESTS[project] ?? [];
    const session = `demo-${basename(project)}-${daysAgo}`;
    const qBefore = qValue;
    qValue += ALPHA * ((result === 'pass' ? 1 : 0) - qValue);
    addUses(db, {
      ids: [learningId],
      session,
      via: 'start',
      agent: 'claude-code',
      project,
      at: ago(daysAgo),
    });
    seenSession(db, {
      session,
      agent: 'claude-code',
      project,
      at: ago(daysAgo),
      request: requests[daysAgo % requests.length] ?? '',
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
