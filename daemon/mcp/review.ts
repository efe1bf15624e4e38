import * as z from 'zod';
import type { Call, Input, Output } from '#contract/methods.ts';
import { ReviewInput } from '#contract/outcomes.ts';
import type { Here } from './working-folder.ts';

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

const DAY = 86_400_000; // ms
/** Most judgements of one learning by agents in a day: one that is misled must not sink it. */
const MOST_A_DAY = 3;
const MOST_IN_A_SESSION = 50;
const SEARCHED = 500;

export async function reviewedRun(
  { ids, session, task, cwd = '', result, feedback }: z.output<typeof ReviewTool>,
  _here: Here,
  call: Call,
): Promise<Input<'traces.create'>> {
  const uses = ids ? [] : await call('uses.list', session === undefined ? { cwd } : { session });
  const reviewing = session ?? uses[0]?.session ?? '';
  const asked = ids ?? [...new Set(uses.map(({ learningId }) => learningId))];
  return {
    task,
    retrievedMemoryIds: await stillOpen(asked, reviewing, call),
    session: reviewing,
    ...(cwd ? { cwd } : {}),
    review: { result, feedback },
  };
}

/** Those of the learnings that this session, and agents on this day, may still judge. */
async function stillOpen(ids: string[], session: string, call: Call): Promise<string[]> {
  const reviews = await call('reviews.list', { source: 'trace', limit: SEARCHED });
  const today = reviews.filter(({ at }) => at > Date.now() - DAY);
  const inSession = today.filter((review) => review.session === session);
  const open = ids.filter(
    (id) =>
      today.filter(({ learningId }) => learningId === id).length < MOST_A_DAY &&
      !(session !== '' && inSession.some(({ learningId }) => learningId === id)),
  );
  return open.slice(0, Math.max(0, MOST_IN_A_SESSION - inSession.length));
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
