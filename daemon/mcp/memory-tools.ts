import * as z from 'zod';
import type { Call } from '#contract/methods.ts';
import { METHODS } from '#contract/methods.ts';
import { NewMemory, ReviewInput } from '#contract/outcomes.ts';
import { at } from './recall-tools.ts';
import { type Here, tool } from './tool.ts';

const Reviewed = z.strictObject({
  task: z.string().trim().min(1).max(20_000).describe('What you were to do, in a sentence or two'),
  result: ReviewInput.shape.result.describe(
    'pass when it was done as it should be, fail when it was not or had to be corrected',
  ),
  feedback: ReviewInput.shape.feedback,
  ids: z
    .array(z.string().min(1).max(200))
    .max(500)
    .optional()
    .describe('The learnings you used; without it, all that your session was given'),
  session: z
    .string()
    .max(200)
    .optional()
    .describe('Your session id, if you know it; without it, the session last at work in your folder'),
  cwd: z.string().max(4_096).optional(),
});

/** Keeping what was learned, and saying whether it helped. */
export const MEMORY_TOOLS = {
  create_memory: tool({
    title: 'Keep a lesson',
    description:
      'After a task that taught something, keep it in your own words: what was to be done, what went wrong, what is right. One lesson at a time, so that whoever reads it next year can act on it. Saying again what is known makes it better proven.',
    input: NewMemory,
    run: (call, input, here) => call('memories.create', at(input, here)),
  }),
  review: tool({
    title: 'Say how it ended',
    description:
      'At the end of a task say whether it passed or failed. The learnings you were given become more or less trusted by it, and a lesson is written from it.',
    input: Reviewed,
    run: review,
  }),
  reflections_start: tool({
    title: 'Begin a loop of attempts',
    description: `${METHODS['loops.start'].doc}, when you will try, verify and try again. Then reflections_append after each attempt and reflections_window before the next.`,
    input: METHODS['loops.start'].input.pick({
      task: true,
      verificationType: true,
      maxIterations: true,
      cwd: true,
    }),
    run: (call, input, here) => call('loops.start', at(input, here)),
  }),
  reflections_append: tool({
    title: 'Reflect on an attempt',
    description: `${METHODS['reflections.append'].doc}. Say which action failed and why, and what to do otherwise: generic advice is flagged.`,
    input: METHODS['reflections.append'].input,
    run: (call, input) => call('reflections.append', input),
  }),
  reflections_window: tool({
    title: 'What the last attempts taught',
    description:
      'The text to begin the next attempt of a loop with: the task, what the attempts before taught, and what failed last.',
    input: METHODS['reflections.context'].input,
    readOnly: true,
    run: (call, input) => call('reflections.context', input),
  }),
  reflections_search: tool({
    title: 'How similar failures were overcome',
    description: `${METHODS['reflections.search'].doc}, with whether the loop passed in the end.`,
    input: METHODS['reflections.search'].input,
    readOnly: true,
    run: (call, input) => call('reflections.search', input),
  }),
};

async function review(
  call: Call,
  { ids, session, task, ...said }: z.output<typeof Reviewed>,
  here: Here,
): Promise<unknown> {
  const { cwd = '', result, feedback } = at(said, here);
  const given = ids ? [] : await call('uses.list', session === undefined ? { cwd } : { session });
  const retrievedMemoryIds = ids ?? [...new Set(given.map(({ learningId }) => learningId))];
  const { trace, reviews } = await call('traces.create', {
    task,
    retrievedMemoryIds,
    session: session ?? given[0]?.session ?? '',
    ...(cwd ? { cwd } : {}),
    review: { result, feedback },
  });
  return {
    reviewed: reviews.map(({ learningId, title, qBefore, qAfter }) => ({
      id: learningId,
      title,
      utility: `${qBefore.toFixed(2)} → ${qAfter.toFixed(2)}`,
    })),
    lesson: trace.memoryId,
    problem: trace.problem,
  };
}
