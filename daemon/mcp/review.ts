import * as z from 'zod';
import type { Call, Input, Output } from '#contract/methods.ts';
import { ReviewInput } from '#contract/outcomes.ts';
import type { WorkingFolder } from './working-folder.ts';

/** An agent reports a result in one call; recording the run and reviewing it are two steps for the daemon. */
export const ReviewTool = z.strictObject({
  task: z.string().trim().min(1).max(20_000).describe('Your task, in a sentence or two'),
  result: ReviewInput.shape.result.describe(
    'pass if the task was done as it should be, fail if it was not or had to be corrected',
  ),
  feedback: ReviewInput.shape.feedback,
  ids: z
    .array(z.string().min(1).max(200))
    .max(500)
    .optional()
    .describe('The learnings you used; by default, all that were injected into your session'),
  session: z
    .string()
    .max(200)
    .optional()
    .describe('Your session id, if you know it; by default, the latest session of your folder'),
  cwd: z.string().max(4_096).optional(),
});

export async function reviewedRun(
  { ids, session, task, cwd = '', result, feedback }: z.output<typeof ReviewTool>,
  _here: WorkingFolder,
  call: Call,
): Promise<Input<'traces.create'>> {
  const uses = ids ? [] : await call('uses.list', session === undefined ? { cwd } : { session });
  const reviewing = session ?? uses[0]?.session ?? '';
  const asked = ids ?? [...new Set(uses.map(({ learningId }) => learningId))];
  return {
    task,
    retrievedMemoryIds: asked,
    actor: 'agent',
    session: reviewing,
    ...(cwd ? { cwd } : {}),
    review: { result, feedback },
  };
}

export const reviewSummary = ({ trace, reviews }: Output<'traces.create'>) => ({
  reviewed: reviews.map(({ learningId, title, qBefore, qAfter }) => ({
    id: learningId,
    title,
    utility: `${qBefore.toFixed(2)} → ${qAfter.toFixed(2)}`,
  })),
  lesson: trace.memoryId,
  problem: trace.problem,
});
